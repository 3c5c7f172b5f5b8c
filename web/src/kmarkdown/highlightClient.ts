/** Client of the highlight worker: one block at a time, with a time limit. */
import type { HighlightSpan } from './highlight.ts'

/** Time limit, ms; highlighting normally takes a few. */
const TIME_LIMIT_MS = 400

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()

/** The highlighted code; null: unknown language, no network, or over the time limit. */
export function requestHighlight(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
  const result = last.then(() => request(code, lang))
  last = result
  return result
}

function request(code: string, lang: string): Promise<readonly HighlightSpan[] | null> {
  if (typeof Worker === 'undefined') return Promise.resolve(null)
  worker ??= new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' })
  const current = worker
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const answer = (spans: readonly HighlightSpan[] | null) => {
      clearTimeout(timer)
      resolve(spans)
    }
    const abandon = () => {
      current.terminate()
      worker = null
      answer(null)
    }
    current.onerror = abandon
    current.onmessage = ({ data }: MessageEvent<'began' | readonly HighlightSpan[] | null>) => {
      if (data === 'began') timer = setTimeout(abandon, TIME_LIMIT_MS)
      else answer(data)
    }
    current.postMessage({ code, lang })
  })
}
