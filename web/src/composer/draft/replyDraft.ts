import { type Quote, quote } from '@guildhall/wire/message/quote.ts'
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { createListeners } from '../../kit/listeners.ts'

/** Cache of what storage holds, so that the same quote is the same object. */
const cache = new Map<string, Quote | null>()
const listeners = createListeners()

/** The message that the draft of a channel replies to; null: none. It is persisted like the draft. */
export function replyOf(channelId: string): Quote | null {
  const cached = cache.get(channelId)
  if (cached !== undefined) return cached
  const read = quote.safeParse(readStored('replies')?.[channelId])
  const found = read.success ? read.data : null
  cache.set(channelId, found)
  return found
}

/** Saves the quote of a channel's draft; null deletes it. */
export function saveReply(channelId: string, answered: Quote | null): void {
  if (replyOf(channelId) === answered) return
  cache.set(channelId, answered)
  const { [channelId]: _, ...others } = readStored('replies') ?? {}
  writeStored('replies', answered ? { ...others, [channelId]: answered } : others)
  listeners.notify()
}

/** Drops the cache: another user may log in next. */
export function clearReplies(): void {
  cache.clear()
}

/** Subscribes to the quote of a channel's draft. */
export const useReply = (channelId: string): Quote | null =>
  useSyncExternalStore(listeners.subscribe, () => replyOf(channelId))
