import type { Emoji } from '@guildhall/wire/message/message.ts'
import { recall, remember } from '../kit/storage.ts'

export const RECENT_MAX = 32

/** What was picked last in this browser, the newest first. */
export const recentEmoji = (): readonly Emoji[] => {
  const kept: unknown = recall('recent_emoji')
  return Array.isArray(kept) ? kept.filter(isEmoji) : []
}

/** It was picked: it is the newest from now on. */
export function notePicked({ id, name }: Emoji): void {
  const others = recentEmoji().filter((it) => it.id !== id)
  remember('recent_emoji', [{ id, name }, ...others].slice(0, RECENT_MAX))
}

const isEmoji = (it: Partial<Emoji> | null): it is Emoji =>
  typeof it?.id === 'string' && typeof it.name === 'string'
