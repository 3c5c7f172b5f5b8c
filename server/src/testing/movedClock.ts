/** The clock of a test that stands where the test puts it. */
import { replaceClock } from '../kit/clock.ts'

let moveBack: (() => void) | null = null

/** Puts the clock to a time, ms; null: back to the present. */
export function clockAt(time: number | null): void {
  moveBack?.()
  moveBack = time === null ? null : replaceClock(() => time)
}
