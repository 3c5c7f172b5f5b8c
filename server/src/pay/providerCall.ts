/** How providers are called: for how long, and how soon again. */
import { PAY_TIMEOUT_MS } from '../outside/payment/payProvider.ts'

export const timeout = () => AbortSignal.timeout(PAY_TIMEOUT_MS)

/** Doubles from `first` up to `most`. */
export const pause = (tries: number, first: number, most: number): number =>
  Math.min(first * 2 ** Math.min(tries, 20), most)
