interface Box {
  readonly top: number
  readonly height: number
}

/**
 * Where a dragged row lands: it passes a row when its edge passes the middle of that. Pure. `by`: how far it
 * was dragged, px; only rows `first` to `last` are passed.
 */
export function landing(
  boxes: readonly Box[],
  from: number,
  by: number,
  first: number,
  last: number,
): number {
  const own = boxes[from]
  if (!own) return from
  const top = own.top + by
  const bottom = top + own.height
  let to = from
  boxes.forEach((box, index) => {
    if (index < first || index > last) return
    const middle = box.top + box.height / 2
    if (index > from && middle < bottom) to += 1
    if (index < from && middle > top) to -= 1
  })
  return to
}

/** A list with one of its items moved to another number. */
export const withMoved = <Item>(items: readonly Item[], from: number, to: number): Item[] => {
  const item = items[from]
  if (item === undefined) return [...items]
  const others = items.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
