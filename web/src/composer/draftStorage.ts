/** What is written and not yet sent, kept in this browser. chat.md §3 "Local storage". */
import { recall, remember } from '../kit/storage.ts'
import { isSound, type Written } from './draftModel.ts'

/** The text left unsent in a channel, with what was picked in it; empty when there is none. */
export function draftOf(channelId: string): Written {
  const words = recall('drafts')?.[channelId] ?? ''
  const kept = recall('picks')?.[channelId]
  // Another tab may have written the one and not the other.
  return kept?.words === words && isSound(kept) ? kept : { words, picks: [] }
}

/** Keeps what is typed in a channel; nothing typed forgets it. */
export function keepDraft(channelId: string, written: Written): void {
  const { words, picks } = written
  const { [channelId]: _, ...others } = recall('drafts') ?? {}
  remember('drafts', words.trim() === '' ? others : { ...others, [channelId]: words })
  const kept = recall('picks')
  if (picks.length === 0 && !kept?.[channelId]) return
  const { [channelId]: __, ...rest } = kept ?? {}
  remember('picks', picks.length === 0 ? rest : { ...rest, [channelId]: written })
}
