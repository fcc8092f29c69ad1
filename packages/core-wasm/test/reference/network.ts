import type { Cluster, Priority } from '../../src/job.ts'
import { LUCK_STREAMS, randomSeed } from '../../src/randomSeed.ts'
import { type Agenda, EventClass, type Occurrence } from './agenda.ts'
import { Connection, type Direction, type Ends, type Stream } from './connection.ts'
import { maxMinRates } from './maxMin.ts'
import { PriorityConnection } from './priorityConnection.ts'
import { Weight } from './weights.ts'
import { Xoshiro } from './xoshiro.ts'

/** Rounding leaves crumbs: a turn with less than this to send is sent. */
const CRUMB_BYTES = 1e-4

interface Link {
  bytesPerUs: number
  /** The other direction of the same host. */
  reverse: number
  busyUs: number
  /** Token bucket, as of `idleSinceUs` while nobody is on the link. */
  tokens: number
  idleSinceUs: number
}

/** All connections and links. Every busy connection is touched whenever time advances. */
export class Network {
  readonly links: Link[] = []
  readonly connections: Connection[] = []
  /** Of finished turns, by connection. */
  readonly sentBytes = new Map<Connection, number>()
  readonly #weights = new Map<Connection, Weight>()
  readonly #wakeUps = new Map<Connection, Occurrence>()
  readonly #agenda: Agenda
  readonly #ackFraction: number
  readonly #burstBytes: number
  readonly #flowBytesPerUs: number
  readonly queueUs: Record<Direction, number>
  readonly startDelayUs: Record<Direction, number>

  constructor(agenda: Agenda, cluster: Cluster, seed: number) {
    this.#agenda = agenda
    this.#ackFraction = cluster.ackFraction
    this.#burstBytes = cluster.burstBytes ?? 0
    this.#flowBytesPerUs = cluster.flowBytesPerUs ?? Infinity
    this.queueUs = cluster.queueUs ?? { pull: 0, push: 0 }
    this.startDelayUs = cluster.startDelayUs ?? { pull: 0, push: 0 }
    const unused = { busyUs: 0, tokens: this.#burstBytes, idleSinceUs: 0 }
    // Link 2h leads out of host h, link 2h + 1 into it; servers first.
    for (const host of [...cluster.servers, ...cluster.workers]) {
      const out = this.links.length
      this.links.push({ bytesPerUs: host.outBytesPerUs, reverse: out + 1, ...unused })
      this.links.push({ bytesPerUs: host.inBytesPerUs, reverse: out, ...unused })
    }
    const hasServer = (worker: number) => cluster.colocate === true && worker < cluster.servers.length
    // No other traffic is on a loopback, and acknowledgements cost it nothing.
    const loopback = () => this.links.push({ bytesPerUs: cluster.loopbackBytesPerUs ?? Infinity, reverse: -1, ...unused }) - 1
    const luck = cluster.workers.map((_, worker) => new Xoshiro(randomSeed(seed, 0, LUCK_STREAMS + worker)))
    for (const direction of ['pull', 'push'] as const) {
      const rows = cluster.shares?.[direction] ?? []
      cluster.workers.forEach((host, worker) => {
        cluster.servers.forEach((_, server) => {
          const isLocal = hasServer(worker) && worker === server
          const workerOut = 2 * (hasServer(worker) ? worker : cluster.servers.length + worker)
          const onNetwork = direction === 'pull' ? [2 * server, workerOut + 1] : [workerOut, 2 * server + 1]
          const ends = { direction, worker, server, links: isLocal ? [loopback()] : onNetwork, isLocal }
          const connection = cluster.priority?.[direction]
            ? this.#withPriority(cluster.priority, ends)
            : new Connection(ends, isLocal ? 0 : host.latencyUs, cluster.turns.later)
          this.connections.push(connection)
          this.sentBytes.set(connection, 0)
          this.#weights.set(connection, new Weight(agenda, connection, isLocal ? [] : rows, luck[worker]))
        })
      })
    }
  }

  #withPriority(priority: Priority, ends: Ends): Connection {
    const send = (connection: Connection) => this.#wake(connection)
    return new PriorityConnection(this.#agenda, priority, ends, this.connections.length, send)
  }

  send(direction: Direction, worker: number, server: number, stream: Stream): void {
    const connection = this.connections.find(one => one.direction === direction && one.worker === worker && one.server === server)!
    connection.append(stream)
    if (!connection.isOccupied) this.#wake(connection)
  }

  /** To be called once everything of the present time has happened. */
  setRates(): void {
    const busy = this.#busy()
    const isUsed = this.links.map((_, link) => busy.some(connection => connection.links.includes(link)))
    const capacities = this.links.map(link => (isUsed[link.reverse] ? link.bytesPerUs / (1 + this.#ackFraction) : link.bytesPerUs))
    // What limits a single connection is like a link that it alone crosses.
    const ownLimits = busy.map(({ isLocal }) => (isLocal ? Infinity : this.#flowBytesPerUs))
    const flows = busy.map((connection, i) => ({
      weight: this.#weights.get(connection)!.value,
      links: [...connection.links, capacities.length + i]
    }))
    const rates = maxMinRates(flows, [...capacities, ...ownLimits])
    busy.forEach((connection, i) => {
      connection.rateBytesPerUs = rates[i]
    })
  }

  earliestTurnEndUs(): number {
    const ends = this.#busy().map(one => this.#agenda.nowUs + one.unsentTurnBytes / one.rateBytesPerUs)
    return Math.min(Infinity, ...ends)
  }

  /** Sends at the present rates until `toUs` and notes the turns that end then. */
  advance(toUs: number): void {
    const elapsedUs = toUs - this.#agenda.nowUs
    this.links.forEach((link, index) => {
      if (this.#busy().some(connection => connection.links.includes(index))) link.busyUs += elapsedUs
    })
    for (const connection of this.#busy()) {
      const { rateBytesPerUs, unsentTurnBytes } = connection
      connection.unsentTurnBytes = rateBytesPerUs === Infinity ? 0 : unsentTurnBytes - rateBytesPerUs * elapsedUs
      if (connection.unsentTurnBytes > CRUMB_BYTES) continue
      const { worker, onWire } = connection
      const happen = () => this.#endTurn(connection)
      const { operation } = onWire!
      this.#agenda.add({ timeUs: toUs, eventClass: EventClass.net, worker, operation, isRounded: true, happen })
    }
  }

  #endTurn(connection: Connection): void {
    this.sentBytes.set(connection, this.sentBytes.get(connection)! + connection.turnBytes)
    const sent = connection.endTurn()
    connection.startTurn(this.#agenda.nowUs)
    if (connection.isOccupied) this.#burst(connection)
    else this.#leave(connection)
    sent?.sent()
  }

  #wake(connection: Connection): void {
    const { direction, worker, server } = connection
    const delayUs = this.isUsedByAnother(direction, server, worker) ? this.startDelayUs[direction] : 0
    connection.startTurn(this.#agenda.nowUs, delayUs)
    if (!connection.isOccupied) return
    const wakeUp = this.#wakeUps.get(connection)
    if (wakeUp) this.#agenda.remove(wakeUp)
    this.#wakeUps.delete(connection)
    if (delayUs === 0) {
      this.#join(connection)
      return
    }
    this.#agenda.add({
      timeUs: this.#agenda.nowUs + delayUs,
      eventClass: EventClass.net,
      worker,
      operation: this.connections.indexOf(connection),
      happen: () => this.#join(connection)
    })
  }

  #join(connection: Connection): void {
    this.#weights.get(connection)!.turnBusy(this.#othersAtServer(connection))
    for (const index of connection.links) {
      if (this.#othersOn(index, connection).length > 0) continue
      const link = this.links[index]
      const idleUs = this.#agenda.nowUs - link.idleSinceUs
      // Not Infinity · 0.
      const gained = idleUs > 0 ? idleUs * link.bytesPerUs : 0
      link.tokens = Math.min(this.#burstBytes, link.tokens + gained)
    }
    connection.isOnLinks = true
    this.#burst(connection)
  }

  /** A turn starts: alone on the server's link it has what is in the bucket at once. */
  #burst(connection: Connection): void {
    if (connection.isLocal || this.#othersAtServer(connection) > 0) return
    const link = this.links[this.#serverLink(connection)]
    const atOnce = Math.min(link.tokens, connection.turnBytes)
    link.tokens -= atOnce
    connection.unsentTurnBytes -= atOnce
  }

  #serverLink({ direction, server }: Pick<Connection, 'direction' | 'server'>): number {
    return direction === 'pull' ? 2 * server : 2 * server + 1
  }

  #leave(connection: Connection): void {
    connection.isOnLinks = false
    for (const index of connection.links) this.links[index].idleSinceUs = this.#agenda.nowUs
    this.#weights.get(connection)!.turnIdle()
    for (const other of this.#busy()) if (this.#othersAtServer(other) === 0) this.#weights.get(other)!.alone()
    const timeUs = connection.mayStartUs()
    if (timeUs === Infinity) return
    const { worker } = connection
    // Wake-ups of one worker at one time: pulls before pushes, then by server.
    const operation = this.connections.indexOf(connection)
    const happen = () => this.#wake(connection)
    this.#wakeUps.set(connection, this.#agenda.add({ timeUs, eventClass: EventClass.net, worker, operation, happen }))
  }

  #busy(): Connection[] {
    return this.connections.filter(connection => connection.isOnLinks)
  }

  /** Whether another worker's connection is on the server's link of that direction. The worker on the server's host needs no link. */
  isUsedByAnother(direction: Direction, server: number, worker: number): boolean {
    const own = this.connections.find(one => one.direction === direction && one.worker === worker && one.server === server)!
    return !own.isLocal && this.#othersAtServer(own) > 0
  }

  #othersAtServer(connection: Connection): number {
    return connection.isLocal ? 0 : this.#othersOn(this.#serverLink(connection), connection).length
  }

  #othersOn(link: number, connection: Connection): Connection[] {
    return this.#busy().filter(other => other !== connection && other.links.includes(link))
  }
}
