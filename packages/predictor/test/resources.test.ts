import type { Cluster } from '@foretrain/core-wasm'
import { expect, test } from 'vitest'
import { resourcesOf } from '../src/resources.ts'

const nic = (bytesPerUs: number) => ({ outBytesPerUs: bytesPerUs, inBytesPerUs: bytesPerUs })

/** Both ends of what leaves or enters host 0, [worker, server] of each host, after one of its links was raised by half. */
function raised(name: string, hosts: readonly number[], field: 'outBytesPerUs' | 'inBytesPerUs'): Array<[number, number]> {
  const cluster = {
    colocate: true,
    workers: hosts.map(rate => ({ ...nic(rate), computeScale: 1, latencyUs: 0 })),
    servers: hosts.map(rate => ({ ...nic(rate), updateScale: 1 })),
    computeSlots: 1,
    updateSlots: 1
  } as Partial<Cluster> as Cluster
  const resource = resourcesOf(cluster).single.find(one => one.name === name)!
  const { workers, servers } = resource.raised(cluster, 1.5)
  return hosts.map((_, host) => [workers[host][field], servers[host][field]])
}

test('a host’s link out is raised with the links into equal hosts; a slower one stays, a faster one suffices', () => {
  const hosts = [100, 100, 10, 120, 1000]
  expect(raised('host 0 out link', hosts, 'outBytesPerUs').map(([worker]) => worker)).toEqual([150, 100, 10, 120, 1000])
  expect(raised('host 0 out link', hosts, 'inBytesPerUs').map(([worker]) => worker)).toEqual([100, 150, 10, 150, 1000])
})

test('a slow host’s link in is raised alone where the others are faster', () => {
  const hosts = [10, 100, 100]
  expect(raised('host 0 in link', hosts, 'inBytesPerUs')).toEqual([
    [15, 15],
    [100, 100],
    [100, 100]
  ])
  expect(raised('host 0 in link', hosts, 'outBytesPerUs')).toEqual([
    [10, 10],
    [100, 100],
    [100, 100]
  ])
})
