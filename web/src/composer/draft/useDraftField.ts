import {
  type ChangeEvent,
  type ClipboardEvent,
  type RefObject,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
} from 'react'
import type { Caret } from '../editing.ts'
import {
  type Draft,
  type DraftWithCaret,
  fragmentOf,
  isEmojiPick,
  withEditAtCaret,
  withFragment,
} from './draftModel.ts'

/** Undo steps for which picks are restored. */
const UNDO_MAX = 200

/** The last draft copied from a field of this page, with its picks. */
let copied: Draft | null = null

export interface DraftField {
  /** Replaces the draft in a way that undo can revert, and sets the caret. */
  readonly apply: (next: DraftWithCaret) => void
  /** Handlers of the text area. `onChange` returns the caret. */
  readonly onChange: (event: ChangeEvent<HTMLTextAreaElement>) => number
  readonly onCopy: (event: SyntheticEvent<HTMLTextAreaElement>) => void
  /** True: the pasted text came from this page and was inserted with its picks. */
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean
}

/**
 * A text area whose draft keeps its picks while text is typed, cut, pasted and undone. Decisions 23 and 28.
 */
export function useDraftField(
  box: RefObject<HTMLTextAreaElement | null>,
  now: Draft,
  put: (written: Draft) => void,
): DraftField {
  const history = useDraftHistory()
  /** The draft that the next change event reports, after `typeOver`. */
  const awaited = useRef<Draft | null>(null)
  const placed = usePlacedCaret(box)
  const commit = (written: Draft) => {
    history.add(now)
    history.add(written)
    put(written)
  }
  const apply = ({ written, caret, from: start = caret }: DraftWithCaret) => {
    const here = box.current
    if (here && document.activeElement === here && here.value === now.text) {
      awaited.current = written
      const { from, to, middle } = difference(now.text, written.text)
      here.setSelectionRange(from, to)
      typeOver(middle)
      awaited.current = null
      here.setSelectionRange(start, caret)
      if (here.value === written.text) {
        // The text is the same and only the picks differ, so no event follows.
        if (from === to && middle === '') commit(written)
        return
      }
    }
    placed.current = [start, caret]
    commit(written)
  }
  useWholeEmoji(box, now, apply)
  return {
    apply,
    onChange(event) {
      const { value, selectionEnd } = event.currentTarget
      const { inputType } = event.nativeEvent as InputEvent
      const isBack = inputType === 'historyUndo' || inputType === 'historyRedo'
      const known = awaited.current?.text === value ? awaited.current : isBack && history.find(value)
      const { written, caret } = known
        ? { written: known, caret: selectionEnd }
        : withEditAtCaret(now, value, selectionEnd)
      if (written.text !== value) placed.current = [caret, caret]
      commit(written)
      return caret
    },
    onCopy({ currentTarget: { selectionStart, selectionEnd } }) {
      if (selectionStart !== selectionEnd) copied = fragmentOf(now, selectionStart, selectionEnd)
    },
    onPaste(event) {
      const text = event.clipboardData.getData('text/plain').replace(/\r\n?/g, '\n')
      if (!copied || copied.picks.length === 0 || copied.text !== text) return false
      event.preventDefault()
      const { selectionStart, selectionEnd } = event.currentTarget
      apply(withFragment(now, selectionStart, selectionEnd, copied))
      return true
    },
  }
}

/** A selection that is set here is made in the field after the next render. */
function usePlacedCaret(box: RefObject<HTMLTextAreaElement | null>): RefObject<Caret | null> {
  const placed = useRef<Caret | null>(null)
  useLayoutEffect(() => {
    const caret = placed.current
    placed.current = null
    if (caret && document.activeElement === box.current) box.current?.setSelectionRange(...caret)
  })
  return placed
}

/** The last drafts with picks, so that undo restores their picks with their text. */
function useDraftHistory() {
  const drafts = useRef<readonly Draft[]>([])
  return {
    add(draft: Draft) {
      if (draft.picks.length > 0 && drafts.current.at(-1) !== draft)
        drafts.current = [...drafts.current.slice(1 - UNDO_MAX), draft]
    },
    /** The newest one with this text. */
    find: (text: string) => [...drafts.current].reverse().find((draft) => draft.text === text),
  }
}

/** Where an emoji that is deleted touches the caret, by the kind of input. */
const EDGES: Readonly<Record<string, 'start' | 'end'>> = {
  deleteContentBackward: 'end',
  deleteContentForward: 'start',
}

/** Deletes a picked emoji as a whole: half of its name means nothing. */
function useWholeEmoji(
  box: RefObject<HTMLTextAreaElement | null>,
  now: Draft,
  apply: (next: DraftWithCaret) => void,
): void {
  const latest = useRef({ now, apply })
  latest.current = { now, apply }
  useLayoutEffect(() => {
    const here = box.current
    if (!here) return
    const beforeInput = (event: InputEvent) => {
      const side = EDGES[event.inputType]
      const caret = here.selectionStart
      if (!side || !event.cancelable || event.isComposing || caret !== here.selectionEnd) return
      const { now, apply } = latest.current
      const whole = now.picks.find((it) => isEmojiPick(it) && it[side] === caret)
      if (!whole) return
      event.preventDefault()
      apply(withFragment(now, whole.start, whole.end, { text: '', picks: [] }))
    }
    here.addEventListener('beforeinput', beforeInput)
    return () => here.removeEventListener('beforeinput', beforeInput)
  }, [box])
}

/**
 * Types as a keyboard would, so that undo can revert it. Does nothing where the browser does not support it.
 */
function typeOver(text: string): void {
  if (typeof document.execCommand !== 'function') return
  if (text === '') document.execCommand('delete')
  else document.execCommand('insertText', false, text)
}

/** The range in which two texts differ, in whole characters. */
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
