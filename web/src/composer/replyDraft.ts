import { type Quote, quote } from '@guildhall/wire/message/quote.ts'
import { useSyncExternalStore } from 'react'
import { recall, remember } from '../kit/storage.ts'

/** As read from the browser, so that the same answer is the same object. */
const known = new Map<string, Quote | null>()
const listeners = new Set<() => void>()

/** What the words being typed in a channel answer; null: nothing. It outlives a reload, as the words do. */
export function replyOf(channelId: string): Quote | null {
  const kept = known.get(channelId)
  if (kept !== undefined) return kept
  const read = quote.safeParse(recall('replies')?.[channelId])
  const found = read.success ? read.data : null
  known.set(channelId, found)
  return found
}

/** Keeps what is answered in a channel; null forgets it. */
export function saveReply(channelId: string, answered: Quote | null): void {
  if (replyOf(channelId) === answered) return
  known.set(channelId, answered)
  const { [channelId]: _, ...others } = recall('replies') ?? {}
  remember('replies', answered ? { ...others, [channelId]: answered } : others)
  for (const listener of listeners) listener()
}

/** Another person may log in here next. */
export function clearReplies(): void {
  known.clear()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Follows what is answered in a channel. */
export const useReply = (channelId: string): Quote | null =>
  useSyncExternalStore(subscribe, () => replyOf(channelId))
