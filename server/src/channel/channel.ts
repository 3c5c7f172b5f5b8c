/**
 * Channels of a guild: the tree a person sees, single channels, and the rules that decide what is visible.
 * chat.md §3 and §6.
 */
import {
  type Channel,
  type ChannelType,
  channelAdded,
  channelType,
  channelUpdated,
  type Guild,
} from '@guildhall/wire/channel/channel.ts'
import type { listRooms as listRoomsRoute } from '@guildhall/wire/channel/rooms.ts'
import type { BodyOf } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  channelPermissions,
  EVERYONE,
  guildPermissions,
  has,
  permission,
  type RoleRule,
} from '@guildhall/wire/permission/permission.ts'
import { visibleTree } from '@guildhall/wire/permission/visibleTree.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { findGuild, setDefaultChannel, spellingOf, spellingsOf } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { AppContext, Emit } from '../kit/events/events.ts'
import { type GuildAccess, guildAccess, rolesOf } from '../role/role.ts'
import { authorOf } from '../user/user.ts'
import { accessOf, type ChannelAccess, mutedNow } from './access.ts'
import type { OwnRule } from './sql.ts'
import * as rows from './sql.ts'
import { eventForm, newcomerPermissions, wireOf } from './wireForm.ts'

export { type ChannelAccess, refuseSend } from './access.ts'
export { openAccessCache } from './accessCache.ts'
export { auditCreated } from './audit.ts'
export type { ChannelRow, NamedChannel } from './sql.ts'

/**
 * A member's access to a channel, in one query. Null when the channel does not exist or they are no member of
 * its guild.
 */
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

/** Whether everybody of its guild may view one of these channels, without a role or a rule of their own. */
export async function isOneOpen(db: Db, channelIds: readonly ChannelId[]): Promise<boolean> {
  const found = await rows.rulesForAll(db, channelIds)
  return found.some(({ roles, rules }) => has(newcomerPermissions(roles, rules), permission.view_channel))
}

/** One channel as its viewer sees it. */
export async function viewChannel(
  appContext: AppContext,
  userId: UserId,
  channelId: ChannelId,
): Promise<Channel> {
  const access = await requireView(appContext.db, userId, channelId)
  const users = await userRulesFor(appContext, userId, [access])
  return wireOf(access.channel, { ...access, users: users.get(channelId) ?? [], channels: [] })
}

/** What a viewer may know of a channel's overwrites for single people. */
interface ChannelRights {
  readonly channel: { readonly id: ChannelId }
  readonly permissions: number
  readonly ownRule: OwnRule | null
}

/**
 * The overwrites for single people by channel: all with the right to manage roles there, else the viewer's
 * own. Decision 58.
 */
export async function userRulesFor(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  userId: UserId,
  entries: readonly ChannelRights[],
): Promise<Map<ChannelId, Channel['permission_users']>> {
  const managed = entries.filter((entry) => has(entry.permissions, permission.manage_role))
  const own = entries.filter((entry) => entry.ownRule)
  const found = new Map<ChannelId, Channel['permission_users']>()
  if (managed.length === 0 && own.length === 0) return found
  const ids = (some: readonly ChannelRights[]) => some.map(({ channel }) => channel.id)
  for (const { channel_id, allow, deny, ...identity } of await rows.userRules(appContext.db, ids(managed), {
    userId,
    channelIds: ids(own),
  }))
    found.set(channel_id, [
      ...(found.get(channel_id) ?? []),
      { user: authorOf(identity, appContext), allow, deny },
    ])
  return found
}

/**
 * A guild as one of its members sees it: its visible channels in the order of the tree, each with what they
 * may do there.
 */
export interface VisibleGuild {
  readonly inside: GuildAccess
  readonly tree: readonly (VisibleChannel & { readonly children: readonly VisibleChannel[] })[]
}
export interface VisibleChannel extends ChannelRights {
  readonly channel: rows.RuledChannelRow
}

/** @throws Failure forbidden for a person who is not a member, whether the guild exists or not */
export async function visibleGuild(db: Db, userId: UserId, guildId: GuildId): Promise<VisibleGuild> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  const { viewer, permissions } = inside
  const entries = (await rows.ofGuild(db, guildId, userId)).map((channel) => ({
    channel,
    permissions: channelPermissions(permissions, viewer, channel.rules, channel.own_rule),
    ownRule: channel.own_rule,
    id: channel.id,
    is_category: channel.type === channelType.category,
    parent_id: channel.parent_id ?? '',
    level: channel.level,
  }))
  const tree = visibleTree(entries, (entry) => has(entry.permissions, permission.view_channel))
  return { inside, tree: tree.map(({ channels, ...entry }) => ({ ...entry, children: channels })) }
}

/**
 * A guild from the inside, with the tree of the channels its viewer may see. chat.md §3.
 * @throws Failure forbidden for a person who is not a member, whether the guild exists or not
 */
export async function viewGuild(appContext: AppContext, userId: UserId, guildId: GuildId): Promise<Guild> {
  const { inside, tree } = await visibleGuild(appContext.db, userId, guildId)
  const { summary, roles, viewer, permissions, nickname, ...own } = inside
  const flat = tree.flatMap((entry) => [entry, ...entry.children])
  const users = await userRulesFor(appContext, userId, flat)
  const toWire = (input: VisibleChannel, channels: Channel[]): Channel =>
    wireOf(input.channel, {
      rules: input.channel.rules,
      roles,
      permissions: input.permissions,
      users: users.get(input.channel.id) ?? [],
      channels,
    })
  const mutedUntil = mutedNow(await rows.mutedUntil(appContext.db, guildId, userId))
  return {
    ...summary,
    roles,
    channels: tree.map((it) =>
      toWire(
        it,
        it.children.map((child) => toWire(child, [])),
      ),
    ),
    user_config: {
      nickname,
      role_ids: [...viewer.roles],
      ...(mutedUntil !== null && { muted_until: mutedUntil }),
      ...(own.owesRules && { owes_rules: true }),
      ...(own.offersRoles && { offers_roles: true }),
      ...(own.hasChecklist && { has_checklist: true }),
    },
    permissions,
    spellings: spellingsOf([...roles.map(({ name }) => name), ...flat.map(({ channel }) => channel.name)]),
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

/**
 * The text channels of a guild that a member may view, in no order; null for a person who is not a member.
 */
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
export async function visibleTextChannelsOf(db: Db, userId: UserId): Promise<rows.MemberChannelRow[]> {
  const all = await rows.textsOfMember(db, userId)
  return all.filter((row) => isVisibleTo(userId, row))
}

function isVisibleTo(userId: UserId, row: rows.MemberChannelRow): boolean {
  const viewer = { is_master: row.owner_id === userId, roles: row.my_roles }
  const inGuild = guildPermissions(viewer, row.roles)
  return has(channelPermissions(inGuild, viewer, row.rules, row.own_rule), permission.view_channel)
}

/** A text channel that somebody may view. */
export interface SeenChannel {
  readonly id: ChannelId
  readonly guild_id: GuildId
  readonly name: string
  /** Not everybody of the guild may view it. */
  readonly isPrivate: boolean
}

/**
 * The same for what lists their messages, and the text channels of those guilds that they may not view; of
 * all channels, or of some.
 */
export async function textChannelsOf(
  db: Db,
  userId: UserId,
  among?: readonly ChannelId[],
): Promise<{ readonly seen: SeenChannel[]; readonly hidden: rows.MemberChannelRow[] }> {
  const all = Map.groupBy(await rows.textsOfMember(db, userId, among), (row) => isVisibleTo(userId, row))
  const seen = (all.get(true) ?? []).map(({ id, guild_id, name, roles, rules }) => {
    const isPrivate = !has(newcomerPermissions(roles, rules), permission.view_channel)
    return { id, guild_id, name, isPrivate }
  })
  return { seen, hidden: all.get(false) ?? [] }
}

/** The same for a search by name; by guild. */
export async function listRooms(db: Db, userId: UserId): Promise<AnswerOf<typeof listRoomsRoute>> {
  const found = await visibleTextChannelsOf(db, userId)
  return found
    .toSorted((a, b) => Number(a.guild_id) - Number(b.guild_id))
    .map(({ id, guild_id, name }) => ({ id, guild_id, name, spelling: spellingOf(name) }))
}

/**
 * The channel of a guild as a person sees it; a person who is not a member sees it as a newcomer would. Null
 * when it does not exist or could not be seen.
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

/** How many channels a guild has, with its categories. */
export const countChannels = (db: Db, guildId: GuildId): Promise<number> => rows.count(db, guildId)

/** Those of some ids that are channels or categories of a guild, in no order. */
export const channelsAmong = (
  db: Db,
  guildId: GuildId,
  ids: readonly ChannelId[],
): Promise<rows.ChannelRow[]> => rows.someOfGuild(db, guildId, null, ids)

/** The text channels of a guild, whoever may view them; in no order. */
export const textChannelsOfGuild = (db: Db, guildId: GuildId): Promise<rows.NamedChannel[]> =>
  rows.textsOfGuild(db, guildId)

/** A channel by its id; null when there is none. */
export const findChannel = (db: Db, channelId: ChannelId): Promise<rows.ChannelRow | null> =>
  rows.byId(db, channelId)

/**
 * Everything that decides who receives which events of a guild, as of one moment; null when there is no such
 * guild.
 */
export async function audienceFacts(db: Db, guildId: GuildId) {
  const facts = await rows.facts(db, guildId)
  if (!facts) return null
  return { guild_id: guildId, ...facts }
}

/**
 * Creates a channel at the end of its category, with the rules of the category. The first text channel of a
 * guild becomes its default one. Emits to its viewers.
 * @throws Failure guild.unknown, channel.unknown (no such category in this guild)
 */
export async function createChannel(
  tx: Tx,
  emit: Emit,
  input: {
    readonly guildId: GuildId
    readonly name: string
    readonly type: ChannelType
    /** Who creates it; by default the owner of the guild. */
    readonly userId?: UserId
    readonly parentId?: ChannelId | null
    readonly topic?: string
    readonly isReadonly?: boolean
    readonly limitAmount?: number
    readonly voiceQuality?: number | undefined
    /** ms */
    readonly slowMode?: number
    /** It has the rules of this one, and follows the category if that does. */
    readonly like?: Pick<rows.ChannelRow, 'id' | 'permission_sync'>
    /** Set before the channel's event is emitted. */
    readonly rules?: readonly RoleRule[]
  },
): Promise<ChannelId> {
  const guild = await findGuild(tx, input.guildId)
  if (!guild) throw fail('guild.unknown')
  const parentId = input.parentId ?? null
  if (parentId !== null) {
    const parent = await rows.byId(tx, parentId)
    const fits = parent?.guild_id === input.guildId && parent.type === channelType.category
    if (!fits || input.type === channelType.category) throw fail('channel.unknown')
  }
  const row = await rows.add(tx, {
    guildId: input.guildId,
    userId: input.userId ?? guild.user_id,
    parentId,
    name: input.name,
    topic: input.topic ?? '',
    type: input.type,
    isReadonly: input.isReadonly ?? false,
    limitAmount: input.limitAmount ?? 0,
    ...(input.voiceQuality !== undefined && { voiceQuality: input.voiceQuality }),
    ...(input.slowMode !== undefined && { slowMode: input.slowMode }),
    now: clock.now(),
  })
  const model = input.like?.id ?? parentId
  if (model !== null) await rows.copyRules(tx, row.id, model)
  for (const { role_id, allow, deny } of input.rules ?? []) {
    await rows.setRoleRule(tx, { channelId: row.id, guildId: input.guildId, roleId: role_id, allow, deny })
  }
  if ((input.rules || input.like?.permission_sync === 0) && parentId !== null) await rows.endSync(tx, row.id)
  if (guild.default_channel_id === null && row.type === channelType.text) {
    await setDefaultChannel(tx, input.guildId, row.id)
  }
  await emitChannel(tx, emit, row.id, channelAdded)
  return row.id
}

/**
 * Sets the rule of a channel for a role or one person. Its permissions no longer follow the category. Emits
 * to viewers.
 */
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

/** Tells those who may view a channel how it is now. */
export async function emitChannel(
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

/** Tells the viewers of channels that changed how they are now. */
export async function emitChannels(tx: Tx, emit: Emit, channels: readonly ChannelId[]): Promise<void> {
  for (const id of channels) await emitChannel(tx, emit, id, channelUpdated)
}

/** Channels of a guild in the form of their events, by id; those that exist. */
export async function eventForms(
  db: Db,
  guildId: GuildId,
  channelIds: readonly ChannelId[],
): Promise<Map<ChannelId, BodyOf<typeof channelAdded>>> {
  const found = await rows.someOfGuild(db, guildId, null, channelIds)
  return new Map(found.map((row) => [row.id, eventForm(row, row.rules)]))
}

/** Deletes the rules that channels have for one person. */
export const forgetRules = (tx: Tx, userId: UserId): Promise<void> => rows.deleteUserRules(tx, userId)

/** The rule that hides a channel from everyone without a role that shows it. */
export const HIDDEN_FROM_EVERYONE: RoleRule = { role_id: EVERYONE, allow: 0, deny: permission.view_channel }
