// The figures of a bench: printed with what others took of the machine meanwhile, and refused when that was
// too much.
import { watchOthers } from './others.ts'

/** Above this part of all processors a figure says more about the others. */
const OTHERS_MAX = 0.25

export interface Figure {
  /** What is measured, under which it is compared with that of other versions. */
  readonly name: string
  readonly value: number
  /** `×` is a ratio to a rival of the same run. */
  readonly unit: '×' | '%' | 'ms' | 's' | 'µs' | '/s' | 'KiB' | 'MiB'
}

const kept: Figure[] = []
let refused = 0
let others: ReturnType<typeof watchOthers> = () => null

/** What comes next is measured from now on. */
export function startMeasuring(): void {
  others()
  others = watchOthers()
}

/** Runs a bench and says what others took of the machine from its beginning to its end. */
export async function judged(run: () => Promise<void>): Promise<void> {
  const ofAll = watchOthers()
  startMeasuring()
  await run()
  const part = ofAll()
  if (part === null) return console.log('What others took of the machine is not known here.')
  console.log(`Others took ${percent(part)} of the machine.`)
  if (part <= OTHERS_MAX) return
  refused += 1
  console.log('REFUSED: what is printed above says more about them.')
}

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

/** Prints what was measured since `startMeasuring`, or since the figure before. */
export function report(...figures: readonly Figure[]): void {
  const part = others() ?? 0
  const isRefused = part > OTHERS_MAX
  for (const figure of figures) {
    const value = `${figure.value.toPrecision(3)} ${figure.unit}`
    const why = isRefused ? `  REFUSED: others took ${percent(part)} of the machine` : ''
    console.log(`  ${figure.name.padEnd(64)} ${value.padStart(10)}${why}`)
    if (isRefused) refused += 1
    else kept.push(figure)
  }
  startMeasuring()
}

/** The figures so far, and how many were refused. */
export const reported = (): { readonly kept: readonly Figure[]; readonly refused: number } => ({
  kept,
  refused,
})
