/** What the list of a guild's channels shows besides their names. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { lastWordsOf, type viewActivity } from '@guildhall/wire/message/activity.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { visibleTextChannels } from '../channel/channel.ts'
import type { AppContext } from '../kit/events/events.ts'
import * as rows from './sql/activity.ts'
import { messageOf } from './wireForm.ts'

/**
 * Who is online in a guild, and the last words of each text channel that a person may view; two queries for
 * any number of channels, besides those of the person's rights.
 * @throws Failure forbidden for a person who is not a member
 */
export async function activityIn(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
): Promise<AnswerOf<typeof viewActivity>> {
  const { db, presence } = appContext
  const channelIds = await visibleTextChannels(db, userId, guildId)
  if (!channelIds) throw fail('forbidden')
  const last = await rows.lastOf(db, channelIds)
  const found = await rows.byIds(
    db,
    userId,
    last.flatMap(({ msg_id }) => msg_id ?? []),
  )
  const words = new Map(found.map((row) => [row.id, lastWordsOf(messageOf(row, appContext))]))
  return {
    // Whoever asks looks at it, also before their connection is there.
    online_count: presence.onlineCount(guildId) + (presence.isOnline(userId) ? 0 : 1),
    channels: last.map(({ channel_id, last_seq, msg_id }) => ({
      channel_id,
      last_seq,
      last_words: (msg_id && words.get(msg_id)) ?? null,
    })),
  }
}
