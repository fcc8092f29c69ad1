import { type Row, sweepColumns } from './rows.ts'

/** The first line of a table of points. */
export const csvHeader = `${sweepColumns.join(',')}\n`

/** A row as comma-separated values, quoted as RFC 4180 says; it ends with a newline alone, as other tools here expect. Numbers in full precision. */
export function csvLine(row: Row): string {
  return `${sweepColumns.map(column => csvField(row[column])).join(',')}\n`
}

/** A field, in quotes where it needs them. A number that does not exist is empty. */
export function csvField(value: string | number | null): string {
  if (typeof value !== 'string') return value !== null && Number.isFinite(value) ? String(value) : ''
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
