import { expect } from 'vitest'
import { cluster } from '../support/cluster.ts'
import { everySimulator } from '../support/everySimulator.ts'
import { job } from '../support/job.ts'
import { endsUs, entryOf } from '../support/outcome.ts'

// How a worker stands: its link has room, limits all its connections, or some of them (assembly/standing.ts). Here workers change from
// one to the other because of what others do.

// One server, 12. Worker 0's link takes 1, worker 1's takes 3; worker 4 comes at 50. Each pulls 750 bytes.
//   until  50: 1 and 3 by their own links, 12 - 4 = 8 for two: 4 each.                      sent: 50, 150, 200, 200
//   until 250: 12 - 1 = 11 for four: 2.75 each, less than worker 1's link allows.           sent: 250, 700, 750, 750, 550
//   then 1 and 3 again, and 8 for worker 4: worker 1's 50 take 50/3, in which worker 4 gets 400/3 of its 200. It has 11 for the rest.
//   Worker 0's 750 end at 750.
everySimulator('a worker gives way to a newcomer only when the server’s link leaves it less than its own', simulate => {
  const step = job([
    { kind: 'compute', amount: 50 },
    { kind: 'pull', amount: 750, after: [0] },
    { kind: 'delay', amount: 1e6, after: [1] }
  ])
  const early = { computeScale: 0 }
  const workers = [{ ...early, inBytesPerUs: 1 }, { ...early, inBytesPerUs: 3 }, early, early, {}]
  const outcome = simulate(step, cluster({ workers, servers: [{ outBytesPerUs: 12 }] }), { steps: 5 })
  const ends = workers.map((_, worker) => entryOf(outcome, 1, { worker }).endUs)
  const second = 250 + 50 / 3
  expect(ends).toEqual([750, second, 250, 250, second + (200 - 400 / 3) / 11].map(us => expect.closeTo(us, 9)))
})

// Two servers of 10, worker 0's link takes 12; worker 1 comes to server 0 at 100 and to server 1 at 200.
//   until 100: 12 for two, 6 each.                                                          worker 0: 600, 600
//   until 200: 5 and 5 at server 0; 12 - 5 = 7 at server 1.                                 1100, 1300; worker 1: 500, -
//   then 5 everywhere: worker 0's link has room for 2 more. Its 1600 from server 0 end at 300.  1600, 1800; 1000, 500
//   Worker 1 has server 0 alone: its other 600 end at 360. Server 1 goes on at 5 and 5: worker 0's 2300 end at 400, worker 1 has 1000
//   and takes the other 1300 at 10, until 530.
everySimulator('a link that limits both connections limits one of them, then none, as another worker comes', simulate => {
  const step = job([
    { kind: 'compute', amount: 100 },
    { kind: 'compute', amount: 200 },
    { kind: 'pull', server: 0, amount: 1600, after: [0] },
    { kind: 'pull', server: 1, amount: 2300, after: [1] },
    { kind: 'delay', amount: 1e6, after: [2, 3] }
  ])
  const ten = { outBytesPerUs: 10 }
  const hosts = cluster({ workers: [{ computeScale: 0, inBytesPerUs: 12 }, {}], servers: [ten, ten], computeSlots: 2 })
  const outcome = simulate(step, hosts, { steps: 2 })
  expect(endsUs(outcome, [2, 3])).toEqual([expect.closeTo(300, 9), expect.closeTo(400, 9)])
  expect(endsUs(outcome, [2, 3], { worker: 1 })).toEqual([expect.closeTo(360, 9), expect.closeTo(530, 9)])
})

// Two servers of 12. Workers 1 and 2 come to server 0 at 100 and to server 1 at 200, worker 0, whose link takes 9, at 200 and 400.
//   server 0: 6 and 6 until 200 (600 each), then 4 for three: workers 1 and 2 have their 1800 at 500, worker 0 has 1200 by then.
//   server 1: 6 and 6 until 400 (1200 each), then 4 for three: 2000 at 600.
//   Worker 0: 4 + 4 leave its link room until 500; then 4 from server 1 and 9 - 4 = 5 from server 0, at 600 it has 1700 and 800; then
//   9/2 each: 100 more from server 0 take 100/4.5. Of 2000 from server 1 it has 900 by then: the other 1100 come at 9.
everySimulator('a link with room limits one connection, then both, as the others leave', simulate => {
  const step = job([
    { kind: 'compute', amount: 100 },
    { kind: 'compute', amount: 200 },
    { kind: 'pull', server: 0, amount: 1800, after: [0] },
    { kind: 'pull', server: 1, amount: 2000, after: [1] },
    { kind: 'delay', amount: 1e6, after: [2, 3] }
  ])
  const twelve = { outBytesPerUs: 12 }
  const workers = [{ computeScale: 2, inBytesPerUs: 9 }, {}, {}]
  const outcome = simulate(step, cluster({ workers, servers: [twelve, twelve], computeSlots: 2 }), { steps: 3 })
  for (const worker of [1, 2]) expect(endsUs(outcome, [2, 3], { worker })).toEqual([500, 600].map(us => expect.closeTo(us, 9)))
  const first = 600 + 100 / 4.5
  expect(endsUs(outcome, [2, 3])).toEqual([first, first + 1100 / 9].map(us => expect.closeTo(us, 9)))
})

// Acknowledgements: fraction 1/4. One server of 10, worker 0's link takes 5 in each direction; both workers pull 400 bytes, worker 0 also
// pushes 100 bytes from 0 on, worker 1 after 1000 µs.
//   While worker 0 pushes: server 10/1.25 = 8, worker 0's link 5/1.25 = 4 for its pull and its push: 4 and 4, pushed by 25.   sent: 100, 100
//   Then 5 and 5: 300 more take 60.
everySimulator('acknowledgements narrow a worker’s link as they narrow a server’s', simulate => {
  const step = job([
    { kind: 'compute', amount: 1000 },
    { kind: 'push', amount: 100, after: [0] },
    { kind: 'pull', amount: 400 },
    { kind: 'delay', amount: 1e6, after: [1, 2] }
  ])
  const both = (rate: number) => ({ outBytesPerUs: rate, inBytesPerUs: rate })
  const workers = [{ computeScale: 0, ...both(5) }, {}]
  const outcome = simulate(step, cluster({ workers, servers: [both(10)], ackFraction: 0.25 }), { steps: 2 })
  expect(endsUs(outcome, [1, 2])).toEqual([expect.closeTo(25, 9), expect.closeTo(85, 9)])
  expect(entryOf(outcome, 2, { worker: 1 }).endUs).toBeCloseTo(85, 9)
})
