import type { Emoji } from '@guildhall/wire/message/message.ts'
import { readStored, writeStored } from '../kit/browser/storage.ts'

export const RECENT_MAX = 32

/** The emoji picked last in this browser, newest first. */
export const recentEmoji = (): readonly Emoji[] => {
  const stored: unknown = readStored('recent_emoji')
  return Array.isArray(stored) ? stored.filter(isEmoji) : []
}

/** Puts a picked emoji first. */
export function addRecentEmoji({ id, name }: Emoji): void {
  const others = recentEmoji().filter((it) => it.id !== id)
  writeStored('recent_emoji', [{ id, name }, ...others].slice(0, RECENT_MAX))
}

const isEmoji = (emoji: Partial<Emoji> | null): emoji is Emoji =>
  typeof emoji?.id === 'string' && typeof emoji.name === 'string'
