/** What is written and not yet sent, kept in this browser. chat.md §3 "Local storage". */
import { recall, remember } from '../kit/storage.ts'
import { type Draft, isValidDraft } from './draftModel.ts'

/** The text left unsent in a channel, with what was picked in it; empty when there is none. */
export function loadDraft(channelId: string): Draft {
  const words = recall('drafts')?.[channelId] ?? ''
  const kept = recall('picks')?.[channelId]
  // Another tab may have written the one and not the other.
  return kept?.words === words && isValidDraft(kept) ? kept : { words, picks: [] }
}

/** Keeps what is typed in a channel; nothing typed forgets it. */
export function saveDraft(channelId: string, written: Draft): void {
  const { words, picks } = written
  const { [channelId]: _, ...others } = recall('drafts') ?? {}
  remember('drafts', words.trim() === '' ? others : { ...others, [channelId]: words })
  const kept = recall('picks')
  if (picks.length === 0 && !kept?.[channelId]) return
  const { [channelId]: __, ...rest } = kept ?? {}
  remember('picks', picks.length === 0 ? rest : { ...rest, [channelId]: written })
}
