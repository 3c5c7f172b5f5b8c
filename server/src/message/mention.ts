/** Whom one can call on while writing a message. Decision 23. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Callable } from '@guildhall/wire/message/mention.ts'
import { viewersAmong, viewOf } from '../channel/channel.ts'
import { lookInside, membersInOrder, searchMembers, spellingOf } from '../guild/guild.ts'
import type { Db } from '../kit/db.ts'
import type { Presence } from '../kit/presence.ts'
import { authorOf } from '../user/user.ts'
import * as rows from './sql/message.ts'

/** Who wrote the last so many messages counts as having spoken last. */
const LAST_MESSAGES = 100

/**
 * Members somebody may mean by what they typed, the likeliest first and those who cannot view the channel last; at most
 * `most`. At most six queries, whatever is found.
 * @throws Failure forbidden, to whoever is no member or cannot view the channel
 */
export async function findCallable(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: {
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly search: string
    readonly most: number
  },
): Promise<Callable[]> {
  const standing = it.channelId === null ? null : await viewOf(db, userId, it.channelId)
  const mayAsk = it.channelId === null ? await lookInside(db, userId, it.guildId) : standing?.canView
  if (!mayAsk || (standing && standing.channel.guild_id !== it.guildId)) throw fail('forbidden')

  const isOpen = it.search === ''
  const spoke =
    isOpen && it.channelId !== null
      ? await membersInOrder(db, it.guildId, await rows.lastSpeakers(db, it.channelId, LAST_MESSAGES))
      : []
  const known = new Set<string>(spoke.map(({ id }) => id))
  const found = (await searchMembers(db, it.guildId, it.search)).filter(({ id }) => !known.has(id))
  // Nobody opens the list to call on themselves.
  const all = [...spoke, ...found].filter(({ id }) => !isOpen || id !== userId)
  const viewers = standing && (await viewersAmong(db, standing, all))
  const canView = (id: string) => viewers?.has(id) ?? true
  return [...all.filter(({ id }) => canView(id)), ...all.filter(({ id }) => !canView(id))]
    .slice(0, it.most)
    .map((row) => ({
      ...authorOf(row, presence),
      can_view: canView(row.id),
      spellings: [row.nickname || row.username, row.username].map(spellingOf),
    }))
}
