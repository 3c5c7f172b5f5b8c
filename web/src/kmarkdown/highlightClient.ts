/** Client of the highlight worker: one block at a time, with a time limit. */
import type { HighlightSpan } from './highlight.ts'

/** Time limit, ms; highlighting normally takes a few. */
const PATIENCE_MS = 400

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** The highlighted code; null: unknown language, no network, or over the time limit. */
export function requestHighlight(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
  const turn = last.then(() => request(code, lang))
  last = turn
  return turn
}

function request(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
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
