import { spawnSync } from 'node:child_process'
import { cpus, loadavg } from 'node:os'

/** Where and when figures were taken: without this line they mean nothing. */
export function describeMachine() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() || 'unknown CPU',
    cores: processors.length,
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    // Other work on the machine when the suite began; its own shows in that of later suites.
    load: Math.round(loadavg()[0] * 10) / 10,
    date: new Date().toISOString().slice(0, 10)
  }
}

/** @param {ReturnType<typeof describeMachine>} machine */
export function machineLine({ cpu, cores, platform, node, load, date }) {
  return `${cpu}, ${cores} ${cores === 1 ? 'core' : 'cores'}, ${platform}, Node ${node}, ${date}, load ${load} at the start`
}

/**
 * The first line that a program says about its version; undefined where there is no such program.
 *
 * @param {string} program
 * @param {string[]} programArguments
 */
export function versionOf(program, programArguments = ['--version']) {
  const { status, stdout } = spawnSync(program, programArguments, { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n')[0].trim() : undefined
}
