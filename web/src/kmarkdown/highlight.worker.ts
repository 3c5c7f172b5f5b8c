/**
 * Web worker for highlighting: code written by others may keep a grammar busy for seconds, which must not
 * block the page.
 */
import { grammarOf, highlightSpans } from './highlight.ts'

interface Asked {
  readonly code: string
  readonly lang: string
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    const grammar = await grammarOf(data.lang)
    // From here on the time limit applies, which excludes loading the grammar.
    postMessage('began')
    postMessage(grammar === null ? null : highlightSpans(data.code, grammar))
  } catch {
    postMessage(null)
  }
})
