/** Persists drafts in the browser. chat.md §3 "Local storage". */
import { isVisible } from '@guildhall/wire/words.ts'
import { readStored, writeStored } from '../kit/storage.ts'
import { type Draft, isValidDraft } from './draftModel.ts'

/** The draft of a channel; empty when there is none. */
export function loadDraft(channelId: string): Draft {
  const words = readStored('drafts')?.[channelId] ?? ''
  const stored = readStored('picks')?.[channelId]
  // Text and picks are two entries: another tab may have written only one of them.
  return stored?.words === words && isValidDraft(stored) ? stored : { words, picks: [] }
}

/** Saves the draft of a channel; an empty one is deleted. */
export function saveDraft(channelId: string, written: Draft): void {
  const { words, picks } = written
  const { [channelId]: _, ...others } = readStored('drafts') ?? {}
  writeStored('drafts', !isVisible(words) ? others : { ...others, [channelId]: words })
  const stored = readStored('picks')
  if (picks.length === 0 && !stored?.[channelId]) return
  const { [channelId]: __, ...rest } = stored ?? {}
  writeStored('picks', picks.length === 0 ? rest : { ...rest, [channelId]: written })
}
