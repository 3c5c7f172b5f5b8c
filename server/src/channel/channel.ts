/** Channels of a guild: the tree a person sees, single channels, and the rules that decide what is visible. chat.md §3 and §6. */
import {
  type Channel,
  type ChannelType,
  channelAdded,
  channelType,
  channelUpdated,
  type Guild,
} from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  channelPermissions,
  EVERYONE,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
} from '@guildhall/wire/permission/permission.ts'
import { visibleTree } from '@guildhall/wire/permission/visibleTree.ts'
import { findGuild, guildAccess, rolesOf, setDefaultChannel, spellingsOf } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { Emit, Live } from '../kit/events.ts'
import { accessOf, type ChannelAccess, mutedNow } from './access.ts'
import * as rows from './sql.ts'

export { type ChannelAccess, refuseSend } from './access.ts'
export { openAccessCache } from './accessCache.ts'
export { MEMBER_EVENTS, PERMISSION_EVENTS } from './accessEvents.ts'
export type { ChannelRow } from './sql.ts'

/** A member's access to a channel, in one query. Null when the channel does not exist or they are no member of its guild. */
export async function channelAccess(
  db: Db,
  userId: UserId,
  channelId: ChannelId,
): Promise<ChannelAccess | null> {
  const [row] = await rows.accessRows(db, [{ userId, channelId }])
  return row ? accessOf(row) : null
}

/**
 * The same, for a channel that the person may view.
 * @throws Failure forbidden, for a channel that does not exist and for one that may not be viewed alike
 */
export async function requireView(db: Db, userId: UserId, channelId: ChannelId): Promise<ChannelAccess> {
  const access = await channelAccess(db, userId, channelId)
  if (!access?.canView) throw fail('forbidden')
  return access
}

/** What someone without roles, such as a newcomer, may do in a channel. */
function newcomerPermissions(roles: readonly RolePermissions[], rules: readonly RoleRule[]): number {
  const newcomer = { is_master: false, roles: [] }
  return channelPermissions(guildPermissions(newcomer, roles), newcomer, rules, null)
}

function wireOf(
  row: rows.ChannelRow,
  it: {
    readonly rules: readonly RoleRule[]
    readonly roles: readonly RolePermissions[]
    readonly permissions: number
    readonly users: Channel['permission_users']
    readonly channels: Channel[]
  },
): Channel {
  return {
    id: row.id,
    guild_id: row.guild_id,
    user_id: row.user_id,
    parent_id: row.parent_id ?? '',
    name: row.name,
    topic: row.topic,
    type: row.type,
    is_category: row.type === channelType.category,
    level: row.level,
    is_readonly: row.is_readonly,
    is_private: !has(newcomerPermissions(it.roles, it.rules), permission.view_channel),
    permission_overwrites: [...it.rules],
    permission_users: it.users,
    permission_sync: row.permission_sync,
    permissions: it.permissions,
    has_password: false,
    slow_mode: row.slow_mode,
    limit_amount: row.limit_amount,
    channels: it.channels,
  }
}

/**
 * One channel as its viewer sees it. Of the rules for single people it shows the viewer's own alone.
 * @throws Failure forbidden
 */
export async function viewChannel(live: Live, userId: UserId, channelId: ChannelId): Promise<Channel> {
  const access = await requireView(live.db, userId, channelId)
  const { ownRule } = access
  const users = ownRule ? [{ user: access.author(live), ...ownRule }] : []
  return wireOf(access.channel, { ...access, users, channels: [] })
}

/**
 * A guild from the inside, with the tree of the channels its viewer may see. chat.md §3.
 * @throws Failure forbidden for a person who is not a member, whether the guild exists or not
 */
export async function viewGuild(db: Db, userId: UserId, guildId: GuildId): Promise<Guild> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  const { summary, roles, viewer, permissions, nickname } = inside
  const [all, mute] = await Promise.all([
    rows.ofGuild(db, guildId, userId),
    rows.mutedUntil(db, guildId, userId),
  ])
  const mutedUntil = mutedNow(mute)
  const mask = new Map(
    all.map((row) => [row.id, channelPermissions(permissions, viewer, row.rules, row.own_rule)]),
  )
  const place = (row: rows.RuledChannelRow, channels: Channel[]): Channel =>
    wireOf(row, { rules: row.rules, roles, permissions: mask.get(row.id) ?? 0, users: [], channels })
  const places = all.map((row) => ({
    row,
    id: row.id,
    is_category: row.type === channelType.category,
    parent_id: row.parent_id ?? '',
    level: row.level,
  }))
  const tree = visibleTree(places, ({ id }) => has(mask.get(id) ?? 0, permission.view_channel))
  return {
    ...summary,
    roles,
    channels: tree.map(({ row, channels }) =>
      place(
        row,
        channels.map((child) => place(child.row, [])),
      ),
    ),
    user_config: {
      nickname,
      role_ids: [...viewer.roles],
      ...(mutedUntil !== null && { muted_until: mutedUntil }),
    },
    permissions,
    spellings: spellingsOf([
      ...roles.map(({ name }) => name),
      ...tree.flatMap(({ row, channels }) => [row.name, ...channels.map((child) => child.row.name)]),
    ]),
  }
}

/** The channels among `ids` in the guild of `from` that the person with the access `from` may view. */
export async function visibleAmong(
  db: Db,
  userId: UserId,
  from: ChannelAccess,
  channelIds: readonly string[],
): Promise<{ readonly id: ChannelId; readonly name: string }[]> {
  const inGuild = guildPermissions(from.viewer, from.roles)
  const found = await rows.someOfGuild(db, from.channel.guild_id, userId, channelIds)
  return found.filter((row) =>
    has(channelPermissions(inGuild, from.viewer, row.rules, row.own_rule), permission.view_channel),
  )
}

/** The members among some people who may view the channel of an access. One query for all. */
export async function viewersAmong(
  db: Db,
  from: ChannelAccess,
  members: readonly { readonly id: UserId; readonly roles: readonly number[] }[],
): Promise<Set<string>> {
  const { guild_id, id } = from.channel
  const roles = await rolesOf(db, guild_id)
  const own = await rows.ownRules(
    db,
    id,
    members.map((member) => member.id),
  )
  const mayView = (member: (typeof members)[number]) => {
    const viewer = { is_master: member.id === from.ownerId, roles: member.roles }
    const mask = guildPermissions(viewer, roles)
    return has(
      channelPermissions(mask, viewer, from.rules, own.get(member.id) ?? null),
      permission.view_channel,
    )
  }
  return new Set(members.filter(mayView).map((member) => member.id))
}

/** The text channels of a guild that a member may view, in no order; null for a person who is not a member. */
export async function visibleTextChannels(
  db: Db,
  userId: UserId,
  guildId: GuildId,
): Promise<ChannelId[] | null> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) return null
  const all = await rows.ofGuild(db, guildId, userId)
  return all
    .filter((row) => row.type === channelType.text)
    .filter((row) =>
      has(
        channelPermissions(inside.permissions, inside.viewer, row.rules, row.own_rule),
        permission.view_channel,
      ),
    )
    .map((row) => row.id)
}

/** The text channels of all guilds of a person that they may view, in no order; one query for any number. */
export async function visibleTextChannelsOf(
  db: Db,
  userId: UserId,
): Promise<{ readonly id: ChannelId; readonly guild_id: GuildId }[]> {
  const all = await rows.textsOfMember(db, userId)
  return all.filter((row) => {
    const viewer = { is_master: row.owner_id === userId, roles: row.my_roles }
    const inGuild = guildPermissions(viewer, row.roles)
    return has(channelPermissions(inGuild, viewer, row.rules, row.own_rule), permission.view_channel)
  })
}

/**
 * The channel of a guild as a person sees it; a person who is not a member sees it as a newcomer would. Null when it
 * does not exist or could not be seen.
 */
export async function previewChannel(
  db: Db,
  userId: UserId | null,
  channelId: ChannelId,
): Promise<{ readonly id: ChannelId; readonly name: string; readonly type: ChannelType } | null> {
  const access = userId === null ? null : await channelAccess(db, userId, channelId)
  if (access) return access.canView ? access.channel : null
  const channel = await rows.byId(db, channelId)
  if (!channel) return null
  const [ruled] = await rows.someOfGuild(db, channel.guild_id, null, [channelId])
  const roles = await rolesOf(db, channel.guild_id)
  return ruled && has(newcomerPermissions(roles, ruled.rules), permission.view_channel) ? channel : null
}

/** A channel by its id; null when there is none. */
export const findChannel = (db: Db, channelId: ChannelId): Promise<rows.ChannelRow | null> =>
  rows.byId(db, channelId)

/** Everything that decides who receives which events of a guild, as of one moment; null when there is no such guild. */
export async function audienceFacts(db: Db, guildId: GuildId) {
  const facts = await rows.facts(db, guildId)
  if (!facts) return null
  return { guild_id: guildId, ...facts }
}

/** A channel in the form of its events: flags are 0 or 1. protocol.md §5.4. */
const eventForm = (row: rows.ChannelRow, rules: readonly RoleRule[]) => ({
  ...wireOf(row, { rules, roles: [], permissions: 0, users: [], channels: [] }),
  is_category: row.type === channelType.category ? 1 : 0,
  // These two depend on the viewer, and an event is the same for all.
  permissions: undefined,
  is_private: undefined,
})

/**
 * Creates a channel at the end of its category, with the rules of the category. The first text channel of a guild becomes its
 * default one. Emits to its viewers.
 * @throws Failure guild.unknown, channel.unknown (no such category in this guild)
 */
export async function createChannel(
  tx: Tx,
  emit: Emit,
  it: {
    readonly guildId: GuildId
    readonly name: string
    readonly type: ChannelType
    readonly parentId?: ChannelId | null
    readonly topic?: string
    readonly isReadonly?: boolean
    readonly limitAmount?: number
    /** Set before the channel's event is emitted. */
    readonly rules?: readonly RoleRule[]
  },
): Promise<ChannelId> {
  const guild = await findGuild(tx, it.guildId)
  if (!guild) throw fail('guild.unknown')
  const parentId = it.parentId ?? null
  if (parentId !== null) {
    const parent = await rows.byId(tx, parentId)
    const fits = parent?.guild_id === it.guildId && parent.type === channelType.category
    if (!fits || it.type === channelType.category) throw fail('channel.unknown')
  }
  const row = await rows.add(tx, {
    guildId: it.guildId,
    userId: guild.user_id,
    parentId,
    name: it.name,
    topic: it.topic ?? '',
    type: it.type,
    isReadonly: it.isReadonly ?? false,
    limitAmount: it.limitAmount ?? 0,
    now: clock.now(),
  })
  if (parentId !== null) await rows.inheritRules(tx, row.id, parentId)
  for (const { role_id, allow, deny } of it.rules ?? []) {
    await rows.setRoleRule(tx, { channelId: row.id, guildId: it.guildId, roleId: role_id, allow, deny })
  }
  if (it.rules && parentId !== null) await rows.endSync(tx, row.id)
  if (guild.default_channel_id === null && row.type === channelType.text) {
    await setDefaultChannel(tx, it.guildId, row.id)
  }
  await emitChannel(tx, emit, row.id, channelAdded)
  return row.id
}

/** Sets the rule of a channel for a role or one person. Its permissions no longer follow the category. Emits to viewers. */
export async function setRule(
  tx: Tx,
  emit: Emit,
  channelId: ChannelId,
  rule: { readonly allow: number; readonly deny: number } & (
    | { readonly role_id: number }
    | { readonly user_id: UserId }
  ),
): Promise<void> {
  const row = await rows.byId(tx, channelId)
  if (!row) throw fail('channel.unknown')
  const { allow, deny } = rule
  if ('role_id' in rule) {
    await rows.setRoleRule(tx, { channelId, guildId: row.guild_id, roleId: rule.role_id, allow, deny })
  } else await rows.setUserRule(tx, { channelId, userId: rule.user_id, allow, deny })
  await rows.endSync(tx, channelId)
  await emitChannel(tx, emit, channelId, channelUpdated)
}

async function emitChannel(
  tx: Tx,
  emit: Emit,
  channelId: ChannelId,
  kind: typeof channelAdded | typeof channelUpdated,
): Promise<void> {
  const row = await rows.byId(tx, channelId)
  if (!row) return
  const [ruled] = await rows.someOfGuild(tx, row.guild_id, null, [channelId])
  emit.guild(row.guild_id, kind, eventForm(row, ruled?.rules ?? []), channelId)
}

/** Deletes the rules that channels have for one person. */
export const forgetRules = (tx: Tx, userId: UserId): Promise<void> => rows.deleteUserRules(tx, userId)

/** The rule that hides a channel from everyone without a role that shows it. */
export const HIDDEN_FROM_EVERYONE: RoleRule = { role_id: EVERYONE, allow: 0, deny: permission.view_channel }
