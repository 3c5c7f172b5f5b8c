/** How long something plays: `3:07`, `1:02:03`. `seconds` may have a fraction. */
export function durationLabel(seconds: number): string {
  const all = Math.round(seconds)
  const two = (n: number) => String(n).padStart(2, '0')
  const rest = `${two(Math.floor(all / 60) % 60)}:${two(all % 60)}`
  return all >= 3600 ? `${Math.floor(all / 3600)}:${rest}` : rest.replace(/^0/, '')
}
