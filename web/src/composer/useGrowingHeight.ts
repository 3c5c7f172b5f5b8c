import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The maximum height of the field, px: five lines of 24 px and the padding. */
const HEIGHT_MAX = 5 * 24 + 20

/** Makes the field as high as its text, up to `HEIGHT_MAX`. */
export function useGrowingHeight(box: RefObject<HTMLTextAreaElement | null>, text: string): void {
  const last = useRef('')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const here = box.current
    const isLonger = last.current !== '' && text.startsWith(last.current)
    last.current = text
    // Where more is written at the end it only grows, and that only when the text does not fit any more.
    if (!here || (isLonger && here.scrollHeight <= here.clientHeight)) return
    const around = here.parentElement
    // The parent keeps its height meanwhile: a list that grew for a moment would lose its place at the end.
    if (around) around.style.minHeight = `${around.offsetHeight}px`
    here.style.height = 'auto'
    here.style.height = `${Math.min(here.scrollHeight, HEIGHT_MAX)}px`
    if (around) around.style.minHeight = ''
  }, [text])
}
