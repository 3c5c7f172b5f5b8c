/** Read marks, and the counts of what is unread. chat.md §7, protocol.md §9.4. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { shows } from '@guildhall/wire/message/notify.ts'
import { readMarkUpdated, UNREAD_MAX, type Unread, type Waiting } from '@guildhall/wire/message/readMark.ts'
import { requireView, visibleTextChannels, visibleTextChannelsOf } from '../channel/channel.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { lastSeq, table } from './sql/message.ts'
import { ofPerson } from './sql/notify.ts'
import * as rows from './sql/readMark.ts'

/**
 * The unread counts of each text channel of a guild that a person may view.
 * @throws Failure forbidden for a person who is not a member
 */
export async function unreadIn(db: Db, userId: UserId, guildId: GuildId): Promise<Unread[]> {
  const channelIds = await visibleTextChannels(db, userId, guildId)
  if (!channelIds) throw fail('forbidden')
  const channels = channelIds.map((id) => ({ id, guild_id: guildId }))
  return rows.unread(db, userId, channels, UNREAD_MAX)
}

/** The first message of others after a number that a person may have to read; null: none. */
export async function firstUnreadOf(
  db: Db,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly after: number },
) {
  const { channel } = await requireView(db, userId, input.channelId)
  return { first: await rows.firstUnread(db, userId, channel, input.after) }
}

/** A dot needs one unread message: a count up to this reads twice as many messages of a channel. */
const DOT_LOOKS_AT = 10

/** What is unread in each guild of a person, in three queries for any number of guilds and channels. */
export async function waitingFor(db: Db, userId: UserId): Promise<Waiting[]> {
  const settings = await ofPerson(db, userId)
  const found = await rows.unread(db, userId, await visibleTextChannelsOf(db, userId), DOT_LOOKS_AT)
  const byGuild = new Map<GuildId, Waiting>()
  for (const { guild_id, last_seq, notify_type, ...counts } of found) {
    const before = byGuild.get(guild_id) ?? nothingWaits(guild_id, counts.guild_notify_type, settings)
    const shown = shows(notify_type)
    const mentions = shown.mention ? counts.mention_count : 0
    byGuild.set(guild_id, {
      ...before,
      is_unread: before.is_unread || mentions > 0 || (shown.unread && counts.unread_count > 0),
      mention_count: Math.min(UNREAD_MAX, before.mention_count + mentions),
      last_seq: Math.max(before.last_seq, last_seq),
    })
  }
  // The channels come in any order; equal states have equal answers.
  return [...byGuild.values()].sort((a, b) => (a.guild_id < b.guild_id ? -1 : 1))
}

function nothingWaits(
  guildId: GuildId,
  notifyType: number,
  settings: Awaited<ReturnType<typeof ofPerson>>,
): Waiting {
  const its = settings.filter((it) => it.guild_id === guildId)
  return {
    guild_id: guildId,
    is_unread: false,
    mention_count: 0,
    last_seq: 0,
    notify_type: notifyType,
    notify_channels: its
      .filter((it) => it.channel_id !== '0')
      .map(({ channel_id, notify_type }) => ({ channel_id: channel_id as ChannelId, notify_type })),
  }
}

/**
 * Marks a channel as read up to a message, or to its end. A mark that is there or further stays, and no event
 * is emitted.
 * @throws Failure forbidden, message.unknown (none of this channel)
 */
export async function markRead(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly upTo: MessageId | undefined },
): Promise<Unread> {
  const { channel } = await requireView(appContext.db, userId, input.channelId)
  const seq =
    input.upTo === undefined
      ? await lastSeq(appContext.db, input.channelId)
      : await table.seqOf(appContext.db, input.channelId, input.upTo)
  if (seq === null) throw fail('message.unknown')
  await commit(appContext, async (tx, emit) => {
    if (seq === 0 || !(await rows.advanceReadMark(tx, userId, input.channelId, seq))) return
    const body = { guild_id: channel.guild_id, channel_id: input.channelId, read_seq: seq }
    emit.person(userId, readMarkUpdated, body)
  })
  const [now] = await rows.unread(appContext.db, userId, [channel], UNREAD_MAX)
  if (!now) throw fail('forbidden')
  return now
}

/**
 * Marks every text channel of a guild as read that the person may view.
 * @throws Failure forbidden for a person who is not a member
 */
export async function markGuildRead(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
): Promise<Unread[]> {
  const channelIds = await visibleTextChannels(appContext.db, userId, guildId)
  if (!channelIds) throw fail('forbidden')
  await commit(appContext, async (tx, emit) => {
    for (const { channel_id, seq } of await rows.advanceToEnd(tx, userId, channelIds))
      emit.person(userId, readMarkUpdated, { guild_id: guildId, channel_id, read_seq: seq })
  })
  return unreadIn(appContext.db, userId, guildId)
}
