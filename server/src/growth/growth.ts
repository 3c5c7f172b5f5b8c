/**
 * How guilds grow. Who comes and goes is counted by the act itself (`member`, `invite`); messages are counted
 * from what is stored, every minute those since the last time. Decision 121.
 */
import { beijingDay, spanOfDay } from '@guildhall/wire/beijing.ts'
import type { GrowthDay, viewGrowth } from '@guildhall/wire/growth/growth.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { DAY_MS, HOUR_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { visibleGuild } from '../channel/channel.ts'
import { addEmojiUses, trimEmojiUses } from '../emoji/emoji.ts'
import { invitesThatWorked, trimInviteDays } from '../invite/invite.ts'
import { clock } from '../kit/clock.ts'
import { deleteDaysBefore } from '../kit/database/days.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { COUNTED_DAYS_KEPT_MS } from '../kit/retention.ts'
import { countMembers, memberDays, trimMemberDays } from '../member/member.ts'
import { emojiUsedWithin, firstSentFrom, sentWithin } from '../message/message.ts'
import { requireGuildRight } from '../role/role.ts'
import * as rows from './sql.ts'

/** Messages get their time before they are stored, on a node whose clock may be a little off. */
const STORED_WITHIN_MS = 10 * SECOND_MS
/** Who wrote on a day is forgotten when the day was counted long ago. */
const AUTHORS_KEPT_MS = 2 * DAY_MS
/** What is counted in one transaction. */
const COUNTED_AT_ONCE_MS = HOUR_MS

/**
 * Counts messages up to now, an hour at a time. It may run several times at once: one of them counts.
 * After the clock went back nothing is counted until that time has come again: no message counts twice.
 */
export async function countGrowth(db: Db, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await transaction(db, countSome)));
}

/** False: nothing is left to count now. */
async function countSome(tx: Tx): Promise<boolean> {
  const counted = await rows.takeCount(tx)
  if (counted === null) return false
  const end = clock.now() - STORED_WITHIN_MS
  const from = Math.max(counted, end - COUNTED_DAYS_KEPT_MS)
  if (from >= end) return false
  // Time in which nobody wrote is passed over.
  const first = (await firstSentFrom(tx, from)) ?? end
  const day = beijingDay(first)
  const to = Math.min(end, spanOfDay(day).to, first + COUNTED_AT_ONCE_MS)
  await rows.addSent(tx, day, await sentWithin(tx, { from, to }))
  await addEmojiUses(tx, day, await emojiUsedWithin(tx, { from, to }))
  await rows.storeCount(tx, to)
  return to < end
}

/** Deletes some of what is older than it is shown. How many: 0 when nothing is left. */
export async function trimGrowth(db: Db): Promise<number> {
  const now = clock.now()
  const day = beijingDay(now - COUNTED_DAYS_KEPT_MS)
  // A server that was away counts days that are long over.
  const counted = Math.min(now, await rows.countedUntil(db))
  return (
    (await trimMemberDays(db, day)) +
    (await trimInviteDays(db, day)) +
    (await trimEmojiUses(db, day)) +
    (await deleteDaysBefore(db, 'channel_day', day)) +
    (await deleteDaysBefore(db, 'author_count', day)) +
    (await deleteDaysBefore(db, 'author_day', beijingDay(counted - AUTHORS_KEPT_MS)))
  )
}

/**
 * How a guild grew in the last days, with today, and in as many before them.
 * @throws Failure forbidden (no member), member.no_right
 */
export async function growthOf(
  db: Db,
  userId: UserId,
  guildId: GuildId,
  count: number,
): Promise<AnswerOf<typeof viewGrowth>> {
  await requireGuildRight(db, userId, guildId, permission.manage_guild)
  const all = daysUntil(clock.now(), 2 * count)
  const [firstOfAll, first] = [all[0]!, all[count]!]
  const messages = new Map(
    (await rows.messageDays(db, guildId, firstOfAll)).map((it) => [it.day, it.messages]),
  )
  const members = new Map((await memberDays(db, guildId, firstOfAll)).map((it) => [it.day, it]))
  const authors = new Map((await rows.authorCounts(db, guildId, firstOfAll)).map((it) => [it.day, it.people]))
  const days = all.map(
    (day): GrowthDay => ({
      day,
      joins: members.get(day)?.joins ?? 0,
      leaves: members.get(day)?.leaves ?? 0,
      active: authors.get(day) ?? 0,
      messages: messages.get(day) ?? 0,
    }),
  )
  return {
    days: days.slice(count),
    before: days.slice(0, count),
    members: await countMembers(db, guildId),
    channels: await channelsOf(db, { userId, guildId, days: all.slice(count) }),
    invites: await invitesThatWorked(db, guildId, first),
    counted_until: await rows.countedUntil(db),
  }
}

/** Days of Beijing that end with today, the oldest first. */
const daysUntil = (now: Millis, count: number): string[] =>
  Array.from({ length: count }, (_, at) => beijingDay(now - (count - 1 - at) * DAY_MS))

/** The channels that the caller may view, with what was sent on each of the days. */
async function channelsOf(
  db: Db,
  input: {
    readonly userId: UserId
    readonly guildId: GuildId
    readonly days: readonly string[]
  },
) {
  const dayAt = new Map(input.days.map((day, at) => [day, at]))
  const counts = new Map<ChannelId, number[]>()
  for (const { day, channel_id, messages } of await rows.channelDays(db, input.guildId, input.days[0]!)) {
    const at = dayAt.get(day)
    if (at === undefined) continue
    const of = counts.get(channel_id) ?? input.days.map(() => 0)
    of[at] = messages
    counts.set(channel_id, of)
  }
  const { tree } = await visibleGuild(db, input.userId, input.guildId)
  return tree
    .flatMap((entry) => [entry, ...entry.children])
    .flatMap(({ channel }) => {
      const messages = counts.get(channel.id)
      return messages ? [{ id: channel.id, name: channel.name, messages }] : []
    })
    .sort((one, other) => sumOf(other.messages) - sumOf(one.messages))
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, it) => sum + it, 0)
