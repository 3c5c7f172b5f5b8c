/** The axis of a chart: round numbers that hold all values, and zero. */
const STEPS = [1, 2, 5, 10] as const
/** More lines than this are not read. */
const LINES_MAX = 5

export interface Scale {
  /** The values of the lines, from the lowest. */
  readonly lines: readonly number[]
  readonly from: number
  readonly to: number
}

/** Whole steps, so that people and fen are never halved. */
export function scaleOf(values: readonly number[]): Scale {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const span = Math.max(1, high - low)
  const rough = span / (LINES_MAX - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, (STEPS.find((it) => it * power >= rough) ?? 10) * power)
  const from = Math.floor(low / step) * step
  const to = Math.max(from + step, Math.ceil(high / step) * step)
  const count = Math.round((to - from) / step)
  return { lines: Array.from({ length: count + 1 }, (_, n) => from + n * step), from, to }
}
