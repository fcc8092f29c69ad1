import { findPythonPackage } from './pythonPackage.mjs'

/**
 * A Python that has SimPy.
 *
 * @param {{ python?: string, folder?: string, install?: boolean }} [options] as for `findPythonPackage`
 */
export function findSimpy(options) {
  return findPythonPackage({ package: 'simpy', module: 'simpy', pinned: '4.1.1' }, options)
}
