import { summarise } from './statistics.mjs'

/**
 * One figure of a suite.
 *
 * @typedef {object} Row
 * @property {string} name what was measured; the line of the table
 * @property {string} [measure] which of several figures about it; then a column of the table
 * @property {string} unit
 * @property {number} median
 * @property {number} min
 * @property {number} max
 * @property {number} runs
 * @property {number} [bar] what the median should not exceed
 * @property {number} [least] what the median should reach
 */

/**
 * @param {string} name
 * @param {string} unit
 * @param {readonly number[]} samples
 * @param {{ measure?: string, bar?: number, least?: number }} [more]
 * @returns {Row}
 */
export function rowOf(name, unit, samples, { measure, bar, least } = {}) {
  return {
    name,
    ...(measure && { measure }),
    unit,
    ...summarise(samples),
    ...(bar !== undefined && { bar }),
    ...(least !== undefined && { least })
  }
}
