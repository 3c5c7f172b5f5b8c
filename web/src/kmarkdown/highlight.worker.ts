/** Colours code beside the page: what a stranger wrote may keep a grammar busy for seconds, and then nothing stands still. */
import { grammarOf, highlightSpans } from './highlight.ts'

interface Asked {
  readonly code: string
  readonly lang: string
}

addEventListener('message', async ({ data }: MessageEvent<Asked>) => {
  try {
    const grammar = await grammarOf(data.lang)
    // From here on it is the code that takes time, not the network.
    postMessage('began')
    postMessage(grammar === null ? null : highlightSpans(data.code, grammar))
  } catch {
    postMessage(null)
  }
})
