import type { GuildId } from '@guildhall/wire/id.ts'
import { useMemo } from 'react'
import { useNamedEmoji } from '../../emoji/emoji.tsx'
import { type Draft, encodeDraft } from './draftModel.ts'

/** What a draft is sent as. `guildId`: whose emoji may be typed by name. */
export function useDraftContent(written: Draft, guildId: GuildId | null): string {
  const named = useNamedEmoji(guildId, written.text)
  return useMemo(() => encodeDraft(written, named), [written, named])
}
