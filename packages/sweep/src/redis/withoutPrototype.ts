/** The same fields with no others behind them: a key such as "constructor" or "__proto__" is then as unknown to a strict schema as any. */
export function withoutPrototype<Entries extends object>(entries: Entries): Entries {
  return Object.assign(Object.create(null), entries)
}
