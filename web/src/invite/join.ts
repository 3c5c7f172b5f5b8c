import type { joinGuild } from '@guildhall/wire/invite/invite.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { paths } from '../kit/paths.ts'
import { remember } from '../kit/storage.ts'

/** Where a joined person goes: the invite's channel when there is one to see, else the guild. Forgets the pending
 * join, which has been done. */
export function whereTo(joined: AnswerOf<typeof joinGuild>): string {
  remember('pending_join', null)
  return joined.channel_id === ''
    ? paths.guild(joined.guild_id)
    : paths.room(joined.guild_id, joined.channel_id)
}
