/** The search for members to mention while writing a message. Decision 23. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Callable } from '@guildhall/wire/message/mention.ts'
import { channelAccess, viewersAmong } from '../../channel/channel.ts'
import { spellingOf } from '../../guild/guild.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { membersInOrder, searchMembers } from '../../member/member.ts'
import { guildAccess } from '../../role/role.ts'
import { authorOf } from '../../user/user.ts'
import { lastAuthors } from '../sql/message.ts'

/** An empty search lists first who wrote the last so many messages. */
const LAST_MESSAGES = 100

/**
 * Members who match a search, the likeliest first and those who cannot view the channel last; at most `most`.
 * At most six queries.
 * @throws Failure forbidden for a person who is not a member or cannot view the channel
 */
export async function findCallable(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly search: string
    readonly most: number
  },
): Promise<Callable[]> {
  const { db } = appContext
  const access = input.channelId === null ? null : await channelAccess(db, userId, input.channelId)
  const mayAsk = input.channelId === null ? await guildAccess(db, userId, input.guildId) : access?.canView
  if (!mayAsk || (access && access.channel.guild_id !== input.guildId)) throw fail('forbidden')

  const isUnfiltered = input.search === ''
  const spoke =
    isUnfiltered && input.channelId !== null
      ? await membersInOrder(db, input.guildId, await lastAuthors(db, input.channelId, LAST_MESSAGES))
      : []
  const known = new Set<string>(spoke.map(({ id }) => id))
  const found = (await searchMembers(db, input.guildId, input.search)).filter(({ id }) => !known.has(id))
  // The unfiltered list leaves out the person who asks.
  const all = [...spoke, ...found].filter(({ id }) => !isUnfiltered || id !== userId)
  const viewers = access && (await viewersAmong(db, access, all))
  const canView = (id: string) => viewers?.has(id) ?? true
  return [...all.filter(({ id }) => canView(id)), ...all.filter(({ id }) => !canView(id))]
    .slice(0, input.most)
    .map((row) => ({
      ...authorOf(row, appContext),
      can_view: canView(row.id),
      spellings: [row.nickname || row.username, row.username].map(spellingOf),
    }))
}
