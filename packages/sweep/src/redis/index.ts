/** Sweeps over Redis (`@foretrain/sweep/redis`): apart from the rest, since its libraries take a while to load. */
export { overRedis, type RedisHooks } from './overRedis.ts'
export { type WorkOptions, workOverRedis } from './workOverRedis.ts'
