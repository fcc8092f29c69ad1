/** The whole interface of the core: a memory map and four functions that take the address of a simulation block. */
export * from './layout'
export { initialise, resetStatistics, run } from './loop'
export { plan } from './plan'
