/** The order of channels, and copies of them. Decision 116. */
import { channelType, channelUpdated } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { auditChanged, auditCreated } from './audit.ts'
import { channelAccess, createChannel, emitChannel } from './channel.ts'
import { emitOrder, lockManages, nameOf, newParentOf, parentFor, requireRoom } from './manage.ts'
import * as rows from './sql.ts'

/** Between two sort keys, so that most moves change one channel. */
const STEP = 100
const LEVEL_MAX = 2 ** 31 - 1

/**
 * Puts a channel before another one, or with `""` at the end, of the category in which it is or moves. One
 * that leaves its category keeps its overwrites and follows no category any more. What stays emits
 * nothing.
 * @throws Failure forbidden, channel.no_right, channel.unknown (no such category, or `before` is not in
 *   it)
 */
export function moveChannel(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly parent: string | undefined; readonly before: string },
): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const { channel } = await lockManages(tx, userId, input.channelId)
    const moved = await newParentOf(tx, userId, channel, input.parent)
    const parentId = moved === undefined ? channel.parent_id : moved
    const others = await othersIn(tx, channel, parentId)
    const at = await positionOf(tx, userId, others, input.before)
    const levels = levelsWith(channel, others, at, moved === undefined)
    if (moved !== undefined) await rows.change(tx, channel.id, { parent_id: moved, permission_sync: 0 })
    await rows.setLevels(tx, levels)
    for (const { id } of levels) await emitChannel(tx, emit, id, channelUpdated)
    if (levels.length > 0) await emitOrder(tx, emit, channel)
    const level = levels.find(({ id }) => id === channel.id)?.level
    if (level === undefined) return
    await auditChanged(tx, userId, channel, { level, ...(moved !== undefined && { parent_id: moved }) })
  })
}

/** The channels among which one is put in order; categories stand among categories. */
async function othersIn(tx: Tx, channel: rows.ChannelRow, parentId: ChannelId | null) {
  const isCategory = ({ type }: rows.ChannelRow) => type === channelType.category
  const all = await rows.someInCategory(tx, channel.guild_id, parentId)
  return all.filter((it) => it.id !== channel.id && isCategory(it) === isCategory(channel))
}

/** @throws Failure channel.unknown, also for one that they may not view */
async function positionOf(
  tx: Tx,
  userId: UserId,
  others: readonly rows.ChannelRow[],
  before: string,
): Promise<number> {
  if (before === '') return others.length
  const at = others.findIndex(({ id }) => id === before)
  const next = others[at]
  if (!next) throw fail('channel.unknown')
  // A category shows with any of its channels.
  const isSeen = next.type === channelType.category || (await channelAccess(tx, userId, next.id))?.canView
  if (!isSeen) throw fail('channel.unknown')
  return at
}

/** The sort keys that change for a channel at `at`: its own, if there is one between its neighbours. */
export function levelsWith(
  channel: Pick<rows.ChannelRow, 'id' | 'level'>,
  others: readonly Pick<rows.ChannelRow, 'id' | 'level'>[],
  at: number,
  isAmongThem: boolean,
): { readonly id: ChannelId; readonly level: number }[] {
  const low = others[at - 1]?.level ?? 0
  const next = others[at]
  const high = next?.level ?? LEVEL_MAX
  const fits = (level: number) => level > low && level < high
  if (isAmongThem && fits(channel.level)) return []
  const middle = next ? Math.floor((low + high) / 2) : low + STEP
  if (fits(middle)) return [{ id: channel.id, level: middle }]
  return [...others.slice(0, at), channel, ...others.slice(at)]
    .map((it, index) => ({ ...it, now: it.level, level: (index + 1) * STEP }))
    .filter(({ id, now, level }) => now !== level || id === channel.id)
    .map(({ id, level }) => ({ id, level }))
}

/**
 * Makes a channel like another one, with its overwrites, at the end of its category: nobody may more in it
 * than in the other one, so it takes no right to manage roles. Of a category the channels are not copied.
 * Emits to its viewers.
 * @throws Failure forbidden, channel.no_right, channel.unknown (the category may not be viewed),
 *   channel.full (detail.most), channel.name_wrong, content.refused
 */
export async function copyChannel(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly name: string },
): Promise<ChannelId> {
  await requireAllowed(appContext, { target: 'guild_channel', userId, texts: [input.name] })
  return commit(appContext, async (tx, emit) => {
    const { channel } = await lockManages(tx, userId, input.channelId)
    await parentFor(tx, userId, channel.guild_id, channel.parent_id ?? '')
    const name = nameOf(input.name)
    await requireRoom(tx, channel.guild_id)
    const { guild_id: guildId, parent_id: parentId, type } = channel
    const made = { guildId, name, type, parentId }
    const id = await createChannel(tx, emit, {
      ...made,
      userId,
      topic: channel.topic,
      isReadonly: channel.is_readonly,
      limitAmount: channel.limit_amount,
      voiceQuality: channel.voice_quality,
      slowMode: channel.slow_mode,
      like: channel,
    })
    await auditCreated(tx, userId, { ...made, id })
    return id
  })
}
