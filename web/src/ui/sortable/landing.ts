interface Box {
  readonly top: number
  readonly height: number
}

/**
 * Where one of some boxes that are put in order lands: it passes another one when its edge passes the middle
 * of that. Pure. `by`: how far it was dragged, px.
 */
export function landing(boxes: readonly Box[], from: number, by: number): number {
  const own = boxes[from]
  if (!own) return from
  const top = own.top + by
  const bottom = top + own.height
  let to = from
  boxes.forEach((box, index) => {
    const middle = box.top + box.height / 2
    if (index > from && middle < bottom) to += 1
    if (index < from && middle > top) to -= 1
  })
  return to
}

/** Rows that travel together, by the numbers of the first and the last. */
export type Span = readonly [first: number, last: number]

/** A drag of some rows: of `spans` the one with the number `own`, which would land at that of `to`. */
export interface Drag {
  readonly spans: readonly Span[]
  readonly own: number
  readonly to: number
  /** How far it is from where it was, and how high it is, px. */
  readonly by: number
  readonly height: number
}

/** The boxes of spans, made of those of their rows. */
export const boxesOf = (boxes: readonly Box[], spans: readonly Span[]): Box[] =>
  spans.map(([first, last]) => {
    const { top = 0 } = boxes[first] ?? {}
    const end = boxes[last]
    return { top, height: end ? end.top + end.height - top : 0 }
  })

const isIn = ([first, last]: Span, at: number): boolean => at >= first && at <= last

export const isHeld = (drag: Drag | null, at: number): boolean =>
  drag !== null && isIn(drag.spans[drag.own]!, at)

/** How far a row is moved by a drag, px: those that are passed make room. */
export function shiftOf(drag: Drag | null, at: number): number {
  if (!drag) return 0
  const { spans, own, to, by, height } = drag
  const span = spans.findIndex((it) => isIn(it, at))
  if (span === own) return by
  if (span > own && span <= to) return -height
  return span >= 0 && span < own && span >= to ? height : 0
}

/** A list with one of its items moved to another number. */
export const withMoved = <Item>(items: readonly Item[], from: number, to: number): Item[] => {
  const item = items[from]
  if (item === undefined) return [...items]
  const others = items.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
