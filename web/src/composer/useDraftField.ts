import {
  type ChangeEvent,
  type ClipboardEvent,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react'
import {
  type Draft,
  type DraftWithCaret,
  fragmentOf,
  isEmojiPick,
  withEditAtCaret,
  withFragment,
} from './draftModel.ts'

/** So many earlier texts are known again when somebody takes back what they did. */
const PAST_MAX = 200

/** What was copied last out of a field of this page, with what was picked in it. */
let copied: Draft | null = null

interface Field {
  /** Puts a text there instead, in a way that can be taken back, and the caret where it belongs. */
  readonly apply: (next: DraftWithCaret) => void
  /** For the text area. `onChange` answers where the caret is. */
  readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => number
  readonly onCopy: (event: SyntheticEvent<HTMLTextAreaElement>) => void
  /** True: it was words of ours, and they are there with what was picked in them. */
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean
}

/**
 * A text area in which names and emoji stand that were picked: keeps them with their text while it is typed, cut, pasted
 * and taken back. Decisions 23 and 28.
 */
export function useDraftField(
  box: RefObject<HTMLTextAreaElement | null>,
  now: Draft,
  put: (written: Draft) => void,
): Field {
  const past = useRef<readonly Draft[]>([])
  /** What the field is about to say by itself, being told to. */
  const awaited = useRef<Draft | null>(null)
  const toPlace = useRef<number | null>(null)

  useLayoutEffect(() => {
    const caret = toPlace.current
    toPlace.current = null
    if (caret !== null && document.activeElement === box.current) box.current?.setSelectionRange(caret, caret)
  })

  const take = (written: Draft) => {
    for (const it of [now, written])
      if (it.picks.length > 0 && past.current.at(-1) !== it)
        past.current = [...past.current.slice(1 - PAST_MAX), it]
    put(written)
  }
  const apply = ({ written, caret }: DraftWithCaret) => {
    const here = box.current
    if (here && document.activeElement === here && here.value === now.words) {
      awaited.current = written
      const { from, to, middle } = difference(now.words, written.words)
      here.setSelectionRange(from, to)
      typeOver(middle)
      awaited.current = null
      here.setSelectionRange(caret, caret)
      if (here.value === written.words) {
        // Nothing was typed where only what is meant by a name is another.
        if (from === to && middle === '') take(written)
        return
      }
    }
    toPlace.current = caret
    take(written)
  }

  const latest = useRef({ now, apply })
  latest.current = { now, apply }
  useEffect(() => {
    const here = box.current
    if (!here) return
    const beforeInput = (event: InputEvent) => {
      const side =
        event.inputType === 'deleteContentBackward'
          ? 'end'
          : event.inputType === 'deleteContentForward'
            ? 'start'
            : null
      const caret = here.selectionStart
      if (side === null || !event.cancelable || event.isComposing || caret !== here.selectionEnd) return
      const { now, apply } = latest.current
      const whole = now.picks.find((it) => isEmojiPick(it) && it[side] === caret)
      if (!whole) return
      event.preventDefault()
      apply(withFragment(now, whole.start, whole.end, { words: '', picks: [] }))
    }
    here.addEventListener('beforeinput', beforeInput)
    return () => here.removeEventListener('beforeinput', beforeInput)
  }, [box])

  return {
    apply,
    onChange(event) {
      const { value, selectionEnd } = event.currentTarget
      const { inputType } = event.nativeEvent as InputEvent
      const isBack = inputType === 'historyUndo' || inputType === 'historyRedo'
      const known =
        awaited.current?.words === value
          ? awaited.current
          : isBack && [...past.current].reverse().find((it) => it.words === value)
      const { written, caret } = known
        ? { written: known, caret: selectionEnd }
        : withEditAtCaret(now, value, selectionEnd)
      if (written.words !== value) toPlace.current = caret
      take(written)
      return caret
    },
    onCopy({ currentTarget: { selectionStart, selectionEnd } }) {
      if (selectionStart !== selectionEnd) copied = fragmentOf(now, selectionStart, selectionEnd)
    },
    onPaste(event) {
      const words = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
      if (!copied || copied.picks.length === 0 || copied.words !== words) return false
      event.preventDefault()
      const { selectionStart, selectionEnd } = event.currentTarget
      apply(withFragment(now, selectionStart, selectionEnd, copied))
      return true
    },
  }
}

/** As a keyboard would: the browser remembers how to take it back. Where it does not know how, nothing happens. */
function typeOver(words: string): void {
  if (typeof document.execCommand !== 'function') return
  if (words === '') document.execCommand('delete')
  else document.execCommand('insertText', false, words)
}

/** Which part of a text another one has something else for. Whole characters. */
function difference(before: string, after: string): { from: number; to: number; middle: string } {
  const least = Math.min(before.length, after.length)
  let from = 0
  while (from < least && before[from] === after[from]) from += 1
  let tail = 0
  while (tail < least - from && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  if (from > 0 && /[\ud800-\udbff]/.test(before[from - 1] ?? '')) from -= 1
  if (tail > 0 && /[\udc00-\udfff]/.test(before[before.length - tail] ?? '')) tail -= 1
  return { from, to: before.length - tail, middle: after.slice(from, after.length - tail) }
}
