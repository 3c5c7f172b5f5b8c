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

/**
 * Saves the draft of a channel; an empty one is deleted. False: the browser refuses, and it is lost with the
 * page.
 */
export function saveDraft(channelId: string, written: Draft): boolean {
  const { words, picks } = written
  const { [channelId]: _, ...others } = readStored('drafts') ?? {}
  const isKept = writeStored('drafts', isVisible(words) ? { ...others, [channelId]: words } : others)
  const stored = readStored('picks')
  if (picks.length === 0 && !stored?.[channelId]) return isKept
  const { [channelId]: __, ...rest } = stored ?? {}
  return writeStored('picks', picks.length === 0 ? rest : { ...rest, [channelId]: written }) && isKept
}
