import { indexGuilds } from '@guildhall/wire/guild/publicGuild.ts'
import type { ComponentProps } from 'react'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { LoadingState } from '../ui/state/LoadingState.tsx'
import { boardText } from './boardText.ts'
import EmojiPicker from './EmojiPicker.tsx'

/** The picker; members of BUFF pick from all of their guilds, everywhere. Loaded when it is first shown. */
export default function MemberPicker({
  guildId,
  isMember,
  ...props
}: ComponentProps<typeof EmojiPicker> & { guildId: string | null; isMember: boolean }) {
  const t = useText(boardText)
  const all = useRouteQuery(indexGuilds, {}, isMember)
  // They must be loaded, or the others would move down under the user's finger.
  if (isMember && all.status === 'loading') return <LoadingState message={t.loading} />
  const others = isMember ? all.answer?.filter(({ id }) => id !== guildId) : undefined
  return <EmojiPicker {...props} {...(others && { others })} />
}
