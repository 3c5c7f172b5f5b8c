/** Asks for the colours of code, one block after the other, and gives up on what takes too long. */
import type { HighlightSpan } from './highlight.ts'

/** Colouring takes a few milliseconds; what takes this long would never end. */
const PATIENCE_MS = 400

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** Code in shades; null when they are not to be had: an unknown language, no network, or code made to be slow. */
export function requestHighlight(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
  const turn = last.then(() => ask(code, lang))
  last = turn
  return turn
}

function ask(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
  if (typeof Worker === 'undefined') return Promise.resolve(null)
  worker ??= new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' })
  const asked = worker
  return new Promise((resolve) => {
    let patience: ReturnType<typeof setTimeout> | undefined
    const answer = (shades: readonly HighlightSpan[] | null) => {
      clearTimeout(patience)
      resolve(shades)
    }
    const giveUp = () => {
      asked.terminate()
      worker = null
      answer(null)
    }
    asked.onerror = giveUp
    asked.onmessage = ({ data }: MessageEvent<'began' | readonly HighlightSpan[] | null>) => {
      if (data === 'began') patience = setTimeout(giveUp, PATIENCE_MS)
      else answer(data)
    }
    asked.postMessage({ code, lang })
  })
}
