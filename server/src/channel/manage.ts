/** Creating, changing, moving and deleting channels, by those who may. protocol.md §4.5, decision 59. */
import {
  type ChannelType,
  channelDeleted,
  channelsSorted,
  channelType,
  channelUpdated,
} from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import {
  GUILD_CHANNELS_MAX,
  isChannelName,
  slowModeMs,
  VOICE_KBPS,
} from '@guildhall/wire/channel/publicChannel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { visibleTree } from '@guildhall/wire/permission/visibleTree.ts'
import { writeAudit } from '../audit/audit.ts'
import { findGuild, lockGuild, requireAmount, setDefaultChannel, setWelcomeChannel } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { guildAccess, rolesOf } from '../role/role.ts'
import type { ChannelAccess } from './access.ts'
import { auditChanged, auditCreated, channelTarget } from './audit.ts'
import { channelAccess, createChannel, emitChannel, requireView } from './channel.ts'
import * as rows from './sql.ts'
import { newcomerPermissions } from './wireForm.ts'

/** The id of no category in events. */
const NO_CATEGORY = '0'

/** @throws Failure channel.name_wrong */
export function nameOf(name: string): string {
  if (!isChannelName(name)) throw fail('channel.name_wrong')
  return name
}

/**
 * A channel that the person may manage, with the channels of its guild locked.
 * @throws Failure forbidden (they may not view it), channel.no_right
 */
export async function lockManages(tx: Tx, userId: UserId, channelId: ChannelId): Promise<ChannelAccess> {
  const channel = await rows.byId(tx, channelId)
  if (!channel) throw fail('forbidden')
  await lockGuild(tx, channel.guild_id)
  const access = await channelAccess(tx, userId, channelId)
  if (!access?.canView) throw fail('forbidden')
  if (!has(access.permissions, permission.manage_channel)) throw fail('channel.no_right')
  return access
}

/**
 * The category with this id, in which the person may manage channels; null for `""` and `"0"`, the top of the
 * guild, for which the right in the whole guild counts.
 * @throws Failure forbidden (not a member), channel.unknown (no category that they see), channel.no_right
 */
export async function parentFor(
  tx: Tx,
  userId: UserId,
  guildId: GuildId,
  parent: string,
): Promise<ChannelId | null> {
  const inside = await guildAccess(tx, userId, guildId)
  if (!inside) throw fail('forbidden')
  if (parent === '' || parent === NO_CATEGORY) {
    if (!has(inside.permissions, permission.manage_channel)) throw fail('channel.no_right')
    return null
  }
  const access = await channelAccess(tx, userId, parent as ChannelId)
  if (!access?.canView || access.channel.guild_id !== guildId) throw fail('channel.unknown')
  if (access.channel.type !== channelType.category) throw fail('channel.unknown')
  if (!has(access.permissions, permission.manage_channel)) throw fail('channel.no_right')
  return access.channel.id
}

/** @throws Failure channel.type_refused */
function typeOf(type: number, isCategory: boolean): ChannelType {
  if (isCategory) return channelType.category
  if (type !== channelType.text && type !== channelType.voice) throw fail('channel.type_refused')
  return type
}

/**
 * Creates a channel at the end of a category, with its overwrites. Emits to its viewers.
 * @throws Failure forbidden, channel.no_right, channel.unknown, channel.full (detail.most),
 *   channel.name_wrong, channel.type_refused, guild.level (voice quality), content.refused
 */
export async function openChannel(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly guildId: GuildId
    readonly name: string
    readonly type: number
    readonly isCategory: boolean
    readonly parent: string
    readonly limitAmount: number | undefined
    readonly voiceQuality: number | undefined
  },
): Promise<ChannelId> {
  await requireAllowed(appContext, { target: 'guild_channel', userId, texts: [input.name] })
  return commit(appContext, async (tx, emit) => {
    await lockGuild(tx, input.guildId)
    const parentId = await parentFor(tx, userId, input.guildId, input.isCategory ? '' : input.parent)
    const type = typeOf(input.type, input.isCategory)
    const name = nameOf(input.name)
    await requireRoom(tx, input.guildId)
    const voice =
      type === channelType.voice
        ? { limitAmount: input.limitAmount ?? 0, voiceQuality: input.voiceQuality }
        : {}
    await requireVoice(tx, input.guildId, voice.voiceQuality)
    const made = { guildId: input.guildId, userId, name, type, parentId, ...voice }
    const id = await createChannel(tx, emit, made)
    await auditCreated(tx, userId, { ...made, id })
    return id
  })
}

/** @throws Failure channel.full (detail.most) */
export async function requireRoom(tx: Tx, guildId: GuildId): Promise<void> {
  if ((await rows.count(tx, guildId)) < GUILD_CHANNELS_MAX) return
  throw fail('channel.full', { most: GUILD_CHANNELS_MAX })
}

/** @throws Failure guild.level */
async function requireVoice(tx: Tx, guildId: GuildId, quality: number | undefined): Promise<void> {
  if (quality === undefined) return
  requireAmount('max_voice_quality', (await findGuild(tx, guildId))?.level ?? 0, VOICE_KBPS[quality - 1] ?? 0)
}

type Fields = Parameters<typeof rows.change>[2]

export interface ChannelChange {
  readonly name: string | undefined
  readonly level: number | undefined
  readonly parent: string | undefined
  readonly topic: string | undefined
  /** ms or s. */
  readonly slowMode: number | undefined
  readonly limitAmount: number | undefined
  readonly voiceQuality: number | undefined
}

/**
 * Changes the fields that are given and exist in a channel of its type. A channel that moves keeps its
 * overwrites and follows no category any more. What changes nothing emits nothing.
 * @throws Failure forbidden, channel.no_right, channel.unknown (no such category), channel.name_wrong,
 *   bad_input (slow mode), guild.level (voice quality), content.refused
 */
export async function changeChannel(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly change: ChannelChange },
): Promise<void> {
  const { name = '', topic = '' } = input.change
  await requireAllowed(appContext, { target: 'guild_channel', userId, texts: [name, topic] })
  return commit(appContext, async (tx, emit) => {
    const { channel } = await lockManages(tx, userId, input.channelId)
    const wanted = {
      ...fieldsOf(channel, input.change),
      ...(await moveOf(tx, userId, channel, input.change)),
    }
    const fields = Object.fromEntries(
      Object.entries(wanted).filter(([name, value]) => channel[name as keyof Fields] !== value),
    ) as Fields
    if (Object.keys(fields).length === 0) return
    await requireVoice(tx, channel.guild_id, fields.voice_quality)
    await rows.change(tx, channel.id, fields)
    await emitChannel(tx, emit, channel.id, channelUpdated)
    if ('parent_id' in fields || 'level' in fields) await emitOrder(tx, emit, channel)
    await auditChanged(tx, userId, channel, fields)
  })
}

/** @throws Failure channel.name_wrong, bad_input */
function fieldsOf({ type }: rows.ChannelRow, change: ChannelChange): Fields {
  const { name, level, topic, slowMode, limitAmount, voiceQuality } = change
  const slow = slowMode === undefined ? undefined : slowModeMs(slowMode)
  if (slow === null) throw fail('bad_input', { fields: ['slow_mode'] })
  const isText = type === channelType.text
  const isVoice = type === channelType.voice
  return {
    ...(name !== undefined && { name: nameOf(name) }),
    ...(level !== undefined && { level }),
    ...(topic !== undefined && type !== channelType.category && { topic }),
    ...(slow !== undefined && isText && { slow_mode: slow }),
    ...(limitAmount !== undefined && isVoice && { limit_amount: limitAmount }),
    ...(voiceQuality !== undefined && isVoice && { voice_quality: voiceQuality }),
  }
}

/**
 * The category into which a channel moves, in which the person may manage channels; undefined: it stays where
 * it is.
 * @throws Failure channel.no_right, channel.unknown
 */
export async function newParentOf(
  tx: Tx,
  userId: UserId,
  channel: rows.ChannelRow,
  parent: string | undefined,
): Promise<ChannelId | null | undefined> {
  if (parent === undefined || (parent === NO_CATEGORY ? '' : parent) === (channel.parent_id ?? '')) return
  // A category is in no other one.
  if (channel.type === channelType.category) throw fail('channel.unknown')
  return parentFor(tx, userId, channel.guild_id, parent)
}

/** @throws Failure channel.no_right, channel.unknown */
async function moveOf(
  tx: Tx,
  userId: UserId,
  channel: rows.ChannelRow,
  { parent, level }: ChannelChange,
): Promise<Fields> {
  const parentId = await newParentOf(tx, userId, channel, parent)
  if (parentId === undefined) return {}
  const end = level ?? (await rows.nextLevel(tx, channel.guild_id, parentId))
  return { parent_id: parentId, level: end, permission_sync: 0 }
}

/** Tells the viewers of a channel that moved the order where it is now, as everybody sees it. */
export async function emitOrder(tx: Tx, emit: Emit, moved: rows.ChannelRow): Promise<void> {
  const { guild_id } = moved
  const roles = await rolesOf(tx, guild_id)
  const now = await rows.byId(tx, moved.id)
  const parentId = now?.parent_id ?? null
  const all = (await rows.someInCategory(tx, guild_id, parentId)).filter(
    ({ id, rules }) => id === moved.id || has(newcomerPermissions(roles, rules), permission.view_channel),
  )
  const body = { guild_id, channels: [{ id: parentId ?? NO_CATEGORY, channels: all.map(({ id }) => id) }] }
  emit.guild(guild_id, channelsSorted, body, moved.id)
}

/**
 * Deletes a channel: its messages are gone for everybody. The channels of a category stay, outside of it, as
 * they may be viewed. Emits to those who could view it.
 * @throws Failure forbidden, channel.no_right
 */
export function deleteChannel(appContext: AppContext, userId: UserId, channelId: ChannelId): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const { channel } = await lockManages(tx, userId, channelId)
    const now = clock.now()
    if (channel.type === channelType.category) {
      for (const child of await rows.children(tx, channelId)) {
        await rows.change(tx, child.id, {
          parent_id: null,
          permission_sync: 0,
          level: await rows.nextLevel(tx, channel.guild_id, null),
        })
        await emitChannel(tx, emit, child.id, channelUpdated)
      }
    }
    await rows.remove(tx, channelId, now)
    const body = { id: channelId, deleted_at: now, type: channel.type }
    emit.guild(channel.guild_id, channelDeleted, body, channelId)
    await replaceChannel(tx, emit, channel)
    const { guild_id: guildId, type } = channel
    const before = { type }
    await writeAudit(tx, {
      guildId,
      by: userId,
      type: 'channel_deleted',
      target: channelTarget(channel),
      before,
    })
  })
}

/** A deleted channel is not what new members see first, or are welcomed in. */
async function replaceChannel(tx: Tx, emit: Emit, deleted: rows.ChannelRow): Promise<void> {
  const { guild_id } = deleted
  const guild = await findGuild(tx, guild_id)
  if (guild?.welcome_channel_id === deleted.id) await setWelcomeChannel(tx, emit, guild_id, null)
  if (guild?.default_channel_id !== deleted.id) return
  const roles = await rolesOf(tx, guild_id)
  const channels = (await rows.ofGuild(tx, guild_id, guild.user_id)).map((row) => ({
    ...row,
    parent_id: row.parent_id ?? '',
    is_category: row.type === channelType.category,
  }))
  const tree = visibleTree(channels, ({ rules }) =>
    has(newcomerPermissions(roles, rules), permission.view_channel),
  )
  const first = flat(tree).find(({ type }) => type === channelType.text)
  await setDefaultChannel(tx, guild_id, first?.id ?? null, emit)
}

/**
 * Refuses to move people in voice channels, because there are none.
 * @throws Failure forbidden, channel.no_right, channel.nobody_there
 */
export async function moveInVoice(
  appContext: AppContext,
  userId: UserId,
  channelId: ChannelId,
): Promise<never> {
  const { permissions } = await requireView(appContext.db, userId, channelId)
  if (!has(permissions, permission.manage_audio)) throw fail('channel.no_right')
  throw fail('channel.nobody_there')
}
