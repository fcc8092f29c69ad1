export function Bottleneck() {
  return null
}
