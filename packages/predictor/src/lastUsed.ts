/**
 * The value of a key, made where it is not known; of those that were made before, the ones used last are kept.
 *
 * @param known values by key, the one used last standing last
 * @param most that are kept
 */
export function lastUsed<Value>(known: Map<string, Value>, key: string, most: number, make: () => Value): Value {
  const value = known.get(key) ?? make()
  known.delete(key)
  known.set(key, value)
  const [oldest] = known.keys()
  if (known.size > most) known.delete(oldest)
  return value
}
