/** Bytes of an entry of the heaps that have four children a node: a number to order by, then what decides between alike ones. */
const ENTRY_BYTES: i32 = 16

/**
 * Address of the entry of least number among the four at `address`; 0 when the number alone may not decide. Which it is is anybody's guess: choosing
 * addresses needs no branch, which would be guessed wrong half the time.
 */
export function leastOfFour(address: i32): i32 {
  const number0 = f64.load(address)
  const number1 = f64.load(address + ENTRY_BYTES)
  const number2 = f64.load(address + 2 * ENTRY_BYTES)
  const number3 = f64.load(address + 3 * ENTRY_BYTES)
  const a = number1 < number0 ? address + ENTRY_BYTES : address
  const b = number3 < number2 ? address + 3 * ENTRY_BYTES : address + 2 * ENTRY_BYTES
  const numberA = f64.load(a)
  const numberB = f64.load(b)
  const best = numberB < numberA ? b : a
  return number0 !== number1 && number2 !== number3 && numberA !== numberB ? best : 0
}
