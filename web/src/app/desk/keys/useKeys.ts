import { useLayoutEffect, useRef } from 'react'
import { replyOf, saveReply } from '../../../composer/draft/replyDraft.ts'
import { isCommand } from '../../../kit/browser/command.ts'
import { readStored } from '../../../kit/browser/storage.ts'
import { nextRoom, step } from './keys.ts'

/** What the keys of a desk do beyond the page itself. */
interface KeyActs {
  /** The open room. */
  readonly channelId: string | null
  readonly showKeys: () => void
  readonly openSwitcher: () => void
  readonly search: () => void
}

const COMPOSER = '[data-part=composer-input]'
const composer = (): HTMLTextAreaElement | null => document.querySelector(COMPOSER)

/**
 * The keys of a desk, unless they are switched off. What is open above the page has its own, and so have
 * fields.
 */
export function useKeys(acts: KeyActs): void {
  const latest = useRef(acts)
  latest.current = acts
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || readStored('keys') === 'off') return
      // The top layer closes itself by Escape (`ui/overlay/layers.ts`).
      if (document.querySelector('[aria-modal=true]')) return
      if (pressed(event, latest.current)) event.preventDefault()
    }
    // Before the layers hear of it: Escape that closes one does nothing else.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

/** Whether the key did something that the browser's own meaning must not follow. */
function pressed(event: KeyboardEvent, { channelId, showKeys, openSwitcher, search }: KeyActs): boolean {
  const { key, altKey, shiftKey } = event
  if (isCommand(event) && key === '/') {
    showKeys()
    return true
  }
  if (isCommand(event) && key.toLowerCase() === 'k') {
    openSwitcher()
    return true
  }
  // Once more, and the browser searches the page.
  if (isCommand(event) && key.toLowerCase() === 'f' && !isSearch(event.target)) {
    search()
    return true
  }
  if (key === 'F6') return moveToColumn(step(shiftKey))
  if (altKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
    // In a written text these keys move the caret.
    if (isField(event.target) && composer()?.value !== '') return false
    nextRoom(key === 'ArrowUp' ? -1 : 1, shiftKey)?.click()
    return true
  }
  // What is chosen in the list is a layer too, which leaves the page its keys.
  if (key === 'Escape' && document.querySelector('[data-part=choose-bar]')) return false
  if (key === 'Escape' && channelId) return leave(channelId, event.target)
  if (isWriting(event)) composer()?.focus()
  return false
}

/** Escape with nothing open: the reply is taken back, else the newest message is shown, and read. */
function leave(channelId: string, target: EventTarget | null): boolean {
  if (isField(target) && target !== composer()) return false
  if (replyOf(channelId)) {
    saveReply(channelId, null)
    return true
  }
  const latest = document.querySelector<HTMLElement>('[data-part=to-latest]')
  latest?.click()
  return latest !== null
}

const isField = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLElement && target.matches('input,textarea,select,[contenteditable]')

const isSearch = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement && target.type === 'search'

/** A letter that is typed where it would mean nothing. A space on a button presses it. */
const isWriting = (event: KeyboardEvent): boolean =>
  event.key.length === 1 &&
  event.key !== ' ' &&
  !event.ctrlKey &&
  !event.metaKey &&
  !event.altKey &&
  !isField(event.target)

/** Moves the focus to the next column, to what is open in it, else to its first control. */
function moveToColumn(by: 1 | -1): boolean {
  const columns = [...document.querySelectorAll<HTMLElement>('[data-column]')]
  if (columns.length === 0) return false
  const at = columns.findIndex((it) => it.contains(document.activeElement))
  const column = columns[(Math.max(at, by === 1 ? -1 : 0) + by + columns.length) % columns.length]
  const first =
    column?.querySelector<HTMLElement>(`${COMPOSER}:not(:disabled)`) ??
    column?.querySelector<HTMLElement>('[aria-current]') ??
    column?.querySelector<HTMLElement>('a[href],button:not(:disabled),input,[tabindex="0"]')
  first?.focus()
  return true
}
