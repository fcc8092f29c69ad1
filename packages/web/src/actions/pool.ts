import { Pool } from '../engine/pool.ts'

/** The workers of the page. */
export const pool = new Pool()

/** Files are read here. */
export const readingWorker = 0

/** Heavy work beside the curve goes here, so that the curve keeps the others. */
export const lastWorker = pool.size - 1
