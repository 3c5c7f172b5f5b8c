/** A range of a text, half-open, in UTF-16 units. */
interface Range {
  readonly from: number
  readonly to: number
}

/** The text with the ranges that match marked; where they overlap, as one. They are sorted. */
export function marked(text: string, matches: readonly Range[]) {
  const parts: (Range & { readonly isMatch: boolean })[] = []
  let at = 0
  for (const { from, to } of matches) {
    const last = parts.at(-1)
    if (from < at && last?.isMatch) {
      parts[parts.length - 1] = { ...last, to: Math.max(last.to, to) }
    } else {
      if (from > at) parts.push({ from: at, to: from, isMatch: false })
      parts.push({ from, to, isMatch: true })
    }
    at = Math.max(at, to)
  }
  if (at < text.length) parts.push({ from: at, to: text.length, isMatch: false })
  return parts.map(({ from, to, isMatch }) =>
    isMatch ? <mark key={from}>{text.slice(from, to)}</mark> : <span key={from}>{text.slice(from, to)}</span>,
  )
}
