/** Persists drafts in the browser. chat.md §3 "Local storage". */
import { isVisible } from '@guildhall/wire/words.ts'
import { readStored, writeStored } from '../../kit/browser/storage.ts'
import { type Draft, isValidDraft } from './draftModel.ts'

/** The draft of a channel; empty when there is none. */
export function loadDraft(channelId: string): Draft {
  const text = readStored('drafts')?.[channelId] ?? ''
  const { words: content, picks } = readStored('picks')?.[channelId] ?? { picks: [] }
  const draft = { text, picks }
  // Text and picks are two entries: another tab may have written only one of them.
  return content === text && isValidDraft(draft) ? draft : { text, picks: [] }
}

/**
 * Saves the draft of a channel; an empty one is deleted. False: the browser refuses, and it is lost with the
 * page.
 */
export function saveDraft(channelId: string, { text, picks }: Draft): boolean {
  const { [channelId]: _, ...others } = readStored('drafts') ?? {}
  const isKept = writeStored('drafts', isVisible(text) ? { ...others, [channelId]: text } : others)
  const stored = readStored('picks')
  if (picks.length === 0 && !stored?.[channelId]) return isKept
  const { [channelId]: __, ...rest } = stored ?? {}
  const all = picks.length === 0 ? rest : { ...rest, [channelId]: { words: text, picks } }
  return writeStored('picks', all) && isKept
}
