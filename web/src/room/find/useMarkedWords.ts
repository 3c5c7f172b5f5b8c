import type { ChannelHit, ChatHit } from '@guildhall/wire/search/search.ts'
import { useEffect } from 'react'

/** The name of the highlight, as the styles have it. */
const NAME = 'found'
/** The message is looked for in so many frames: it is loaded and scrolled to meanwhile. */
const FRAMES = 180

/** Marks the words of a hit in its row, where the browser can: nothing of the row is drawn anew. */
export function useMarkedWords(hit: ChannelHit | ChatHit | null): void {
  useEffect(() => {
    if (!hit || typeof Highlight === 'undefined') return
    const raw = hit.message.mention_info.raw_content
    const words = [...new Set(hit.marks.map(({ from, to }) => raw.slice(from, to)))]
    let frame = 0
    const look = (left: number) => {
      const text = document.querySelector(`[data-id="${hit.message.id}"] [data-part=message-text]`)
      if (text) CSS.highlights.set(NAME, new Highlight(...words.flatMap((it) => rangesOf(text, it))))
      else if (left > 0) frame = requestAnimationFrame(() => look(left - 1))
    }
    look(FRAMES)
    return () => {
      cancelAnimationFrame(frame)
      CSS.highlights.delete(NAME)
    }
  }, [hit])
}

/** Where a word stands in what an element shows. */
function rangesOf(element: Element, word: string): Range[] {
  const ranges: Range[] = []
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const node = texts.currentNode
    const value = node.nodeValue ?? ''
    for (let at = value.indexOf(word); at >= 0; at = value.indexOf(word, at + word.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + word.length)
      ranges.push(range)
    }
  }
  return ranges
}
