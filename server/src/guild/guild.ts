/** Guilds: their members and roles, and what a member may do in the guild as a whole. chat.md §3 and §6. */

import { fail } from '@guildhall/wire/failure.ts'
import {
  type GuildSummary,
  memberExited,
  memberJoined,
  memberUpdated,
  type Role,
  roleAdded,
  roleDeleted,
  roleUpdated,
  selfExited,
  selfJoined,
} from '@guildhall/wire/guild/guild.ts'
import { memberFaceUpdated } from '@guildhall/wire/guild/memberFace.ts'
import { toPublicGuild, toPublicRole } from '@guildhall/wire/guild/publicGuild.ts'
import { rightsAt } from '@guildhall/wire/guild/rights.ts'
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import {
  DEFAULT_EVERYONE,
  guildPermissions,
  has,
  permission,
  type Viewer,
} from '@guildhall/wire/permission/permission.ts'
import type { GuildFace } from '@guildhall/wire/profile/profile.ts'
import type { ChangedFace } from '@guildhall/wire/user/changedFace.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { clock } from '../kit/clock.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import { commit, type Emit, type Live } from '../kit/events/events.ts'
import { authorOf, faceOf, findUser } from '../user/user.ts'
import { removeMember } from './guildControl.ts'
import { emitGuild } from './guildUpdate.ts'
import * as memberRows from './memberSql.ts'
import { recommendInfoOf } from './recommend.ts'
import { requireRoom } from './rights.ts'
import * as roleRows from './roleSql.ts'
import { KEY_MAX, keysOf } from './searchKeys.ts'
import * as rows from './sql.ts'
import { guildText } from './text.ts'

export { guildBadge } from './badge.ts'
export { deletedGuilds, deleteGuild, restoreOwnGuild } from './deletion.ts'
export {
  closeGuild,
  everyMembership,
  forgetMember,
  removeMember,
  requireOwnsNone,
  restoreGuild,
  someMembershipsOf,
} from './guildControl.ts'
export { emitGuild } from './guildUpdate.ts'
export type { FoundRow, NamedMember } from './memberSql.ts'
export { type Audit, recommendInfoOf, recommendOf, setAudit, setRecommended } from './recommend.ts'
export { requireAmount, requirePrivilege } from './rights.ts'
export type { RoleChange } from './roleSql.ts'
export { readingOf, spellingOf, spellingsOf } from './searchKeys.ts'
export type { GuildRow } from './sql.ts'
export {
  changeOwner,
  type FoundGuildRow,
  findGuildForStaff,
  findGuildsForStaff,
  type GuildQuery,
} from './staff.ts'
export { guildText } from './text.ts'

/** The channel id in an answer when a guild has no such channel. protocol.md §5.2. */
const NO_CHANNEL = '0' as ChannelId

function summaryOf(row: rows.MemberGuildRow, userId: UserId): GuildSummary {
  return {
    id: row.id,
    name: row.name,
    topic: row.topic,
    icon: row.icon,
    banner: row.banner,
    recommend_info: recommendInfoOf(row, row.recommend),
    user_id: row.user_id,
    master_id: row.user_id,
    default_channel_id: row.default_channel_id ?? NO_CHANNEL,
    welcome_channel_id: row.welcome_channel_id ?? NO_CHANNEL,
    boost_num: row.boost_num,
    level: row.level,
    rights: rightsAt(row.level),
    custom_id: row.custom_id ?? '',
    is_master: row.user_id === userId,
    team_members: row.team_members,
    my_roles: row.my_roles,
  }
}

/**
 * A person, as everybody sees them, or with a guild as the caller's fellow member.
 * @throws Failure forbidden (the caller is no member), user.unknown
 */
export async function viewUser(
  live: Pick<Live, 'db' | 'presence' | 'publicUrl'>,
  callerId: UserId,
  it: { readonly userId: UserId; readonly guildId: GuildId | undefined },
) {
  const { db } = live
  if (it.guildId === undefined) {
    const user = await findUser(db, it.userId)
    if (!user || user.deleted_at !== null) throw fail('user.unknown')
    return publicUser(faceOf(user, live))
  }
  if (!(await memberRows.isMember(db, it.guildId, callerId))) throw fail('forbidden')
  const member = await memberRows.member(db, it.guildId, it.userId)
  if (!member) throw fail('user.unknown')
  const { joined_at, is_master, mobile_verified } = member
  const author = publicUser(authorOf(member, live))
  const roles = await roleRows.roles(db, it.guildId)
  const permissions = guildPermissions({ is_master: false, roles: member.roles }, roles)
  return {
    ...author,
    joined_at,
    is_master,
    mobile_verified,
    is_admin: !is_master && has(permissions, permission.manage),
    ...colorsOf(roles.filter(({ role_id }) => member.roles.includes(role_id))),
    active_time: author.online ? clock.now() : Math.max(member.seen_at, joined_at),
  }
}

/**
 * The colours of a member's name: those of the highest of their roles that has one. `roles`: theirs, the
 * highest first.
 */
export function colorsOf(roles: readonly Role[]): { readonly color: number; readonly color_list?: number[] } {
  const shown = roles.find(({ color }) => color !== 0)
  return {
    color: shown?.color ?? 0,
    ...(shown?.color_map && { color_list: shown.color_map.color_list }),
  }
}

/** The guilds of a person, in the order they joined them; may be empty. chat.md §7. */
export async function listGuilds(db: Db, userId: UserId): Promise<GuildSummary[]> {
  return (await rows.ofMember(db, userId)).map((row) => summaryOf(row, userId))
}

/**
 * A page of a person's guilds as the public protocol shows them. `sort`: `id` or `-id`; else the order of
 * joining.
 */
export async function listGuildsV3(
  db: Db,
  userId: UserId,
  it: { readonly page: number; readonly size: number; readonly sort: string },
) {
  const all = await rows.ofMember(db, userId)
  const way = it.sort === 'id' ? 1 : it.sort === '-id' ? -1 : 0
  if (way !== 0) all.sort((a, b) => way * (Number(a.id) - Number(b.id)))
  const limit = Math.min(it.size, LIST_SIZE_MAX)
  const first = (it.page - 1) * limit
  const { length: total } = all
  return {
    items: all.slice(first, first + limit).map((row) => toPublicGuild(summaryOf(row, userId), row.nickname)),
    meta: { page: it.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: way === 0 ? {} : { id: way },
  }
}

/** A person's guilds with their nickname in each; with a guild that one alone. */
export async function guildsWithNickname(db: Db, userId: UserId, guildId?: GuildId) {
  const all =
    guildId === undefined
      ? await rows.ofMember(db, userId)
      : [await rows.forMember(db, userId, guildId)].filter((row) => row !== null)
  return all.map((row) => ({
    guild: toPublicGuild(summaryOf(row, userId), row.nickname),
    nickname: row.nickname,
  }))
}

/**
 * The members who represent a guild besides its owner.
 * @throws Failure forbidden for a person who is not a member
 */
export async function listTeam(
  live: Pick<Live, 'db' | 'presence' | 'publicUrl'>,
  callerId: UserId,
  guildId: GuildId,
) {
  const guild = await rows.forMember(live.db, callerId, guildId)
  if (!guild) throw fail('forbidden')
  const team = await membersInOrder(live.db, guildId, guild.team_members)
  return team.map((row) => authorOf(row, live))
}

/** A guild as one of its members sees it, all but its channels. */
export interface GuildAccess {
  readonly summary: GuildSummary
  /** The highest first, everyone's last. */
  readonly roles: Role[]
  readonly viewer: Viewer
  /** What the viewer may do in the guild as a whole. */
  readonly permissions: number
  readonly nickname: string
}

/** Null for a person who is not a member, whether the guild exists or not. */
export async function guildAccess(db: Db, userId: UserId, guildId: GuildId): Promise<GuildAccess | null> {
  const row = await rows.forMember(db, userId, guildId)
  if (!row) return null
  const roles = await roleRows.roles(db, guildId)
  const viewer = { is_master: row.user_id === userId, roles: row.my_roles }
  return {
    summary: summaryOf(row, userId),
    roles,
    viewer,
    permissions: guildPermissions(viewer, roles),
    nickname: row.nickname,
  }
}

/** A guild by its id, without a check of membership; null when there is none. */
export const findGuild = (db: Db, guildId: GuildId): Promise<rows.GuildRow | null> => rows.byId(db, guildId)

/** The same, also for one that is closed. */
export const findAnyGuild = rows.anyById

/** The highest first, everyone's last. */
export const rolesOf = (db: Db, guildId: GuildId): Promise<Role[]> => roleRows.roles(db, guildId)

export const isMember = (db: Db, guildId: GuildId, userId: UserId): Promise<boolean> =>
  memberRows.isMember(db, guildId, userId)

export const isBanned = (db: Db, guildId: GuildId, userId: UserId): Promise<boolean> =>
  memberRows.isBanned(db, guildId, userId)

/** True when two people have a guild in common. */
export const shareGuild = (db: Db, userId: UserId, otherId: UserId): Promise<boolean> =>
  memberRows.shareGuild(db, userId, otherId)

export const countMembers = (db: Db, guildId: GuildId): Promise<number> =>
  memberRows.countMembers(db, guildId)

/** The guilds of a person, with their roles in each: for the gateway's audience. */
export const membershipsOf = (db: Db, userId: UserId): Promise<{ guild_id: GuildId; roles: RoleId[] }[]> =>
  memberRows.memberships(db, userId)

/** How many guilds that are open belong to a person. */
export const countOwned = (db: Db, userId: UserId): Promise<number> => rows.countOwned(db, userId)

/** The highest level among a person's guilds; 0 for a person without guilds. */
export const highestLevel = (db: Db, userId: UserId): Promise<number> => rows.highestLevel(db, userId)

/** A member's roles; null for a person who is not a member. */
export const memberRoles = (db: Db, guildId: GuildId, userId: UserId): Promise<RoleId[] | null> =>
  memberRows.memberRoles(db, guildId, userId)

/** The members among `userIds`, with their names in this guild; in no order. */
export const namedMembers = (
  db: Db,
  guildId: GuildId,
  userIds: readonly string[],
): Promise<memberRows.NamedMember[]> => memberRows.namedMembers(db, guildId, userIds)

/** Members by the name and the digits behind it; in no order. */
export const membersByTag = (
  db: Db,
  guildId: GuildId,
  calls: readonly { readonly username: string; readonly identify_num: string }[],
): Promise<memberRows.NamedMember[]> => memberRows.membersCalled(db, guildId, calls)

/** Keys that a search reads, a few for each member: the cost does not grow with the guild. */
const KEYS_LOOKED_AT = 120
/** The last character there is: no key is past it. */
const LAST = '\u{10FFFF}'

/**
 * Members whose nickname, username, `username#1234`, or the pinyin of these, begins with or contains what was
 * typed; an empty search finds the first by name. The best matches first; a subset when there are very many.
 */
export async function searchMembers(
  db: Db,
  guildId: GuildId,
  search: string,
): Promise<memberRows.FoundRow[]> {
  const from = folded(search).slice(0, KEY_MAX)
  const found = await memberRows.membersByKey(db, guildId, {
    from,
    before: from + LAST,
    most: KEYS_LOOKED_AT,
  })
  return found.sort((a, b) => a.place - b.place || byText(a.key, b.key) || byText(a.id, b.id))
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The members among some people, in the order of the ids. */
export async function membersInOrder(
  db: Db,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<Omit<memberRows.FoundRow, 'place' | 'key'>[]> {
  const found = new Map<string, Omit<memberRows.FoundRow, 'place' | 'key'>>(
    (await memberRows.membersById(db, guildId, userIds)).map((row) => [row.id, row]),
  )
  return userIds.flatMap((id) => found.get(id) ?? [])
}

/** Members whose search keys are made in one transaction. */
const KEYED_AT_ONCE = 500

/**
 * Makes the search keys of members without them, in one bounded batch; returns how many members it covered.
 * Safe to kill at any point and to run on several nodes at once.
 */
export const indexSomeMembers = (db: Db): Promise<number> =>
  transaction(db, async (tx) => key(tx, await memberRows.lockUnkeyed(tx, { most: KEYED_AT_ONCE })))

const indexMember = async (tx: Tx, guildId: GuildId, userId: UserId): Promise<number> =>
  key(tx, await memberRows.lockUnkeyed(tx, { guildId, userId }))

async function key(tx: Tx, members: readonly memberRows.UnkeyedRow[]): Promise<number> {
  const keys = members.flatMap(({ guild_id, user_id, nickname, username, identify_num, custom_num }) => {
    const chosen = custom_num === '' ? [] : [keysOf(username, custom_num)]
    const names = [keysOf(username, identify_num), ...chosen, ...(nickname === '' ? [] : [keysOf(nickname)])]
    const of = (place: number, all: readonly string[]) =>
      all.map((it) => ({ guild_id, user_id, place, key: it }))
    return names.flatMap(({ start, inside }) => [...of(0, start), ...of(1, inside)])
  })
  if (members.length > 0) await memberRows.setKeys(tx, members, keys)
  return members.length
}

/**
 * Makes a person a member. False, without an effect, when they are one already. Emits to the guild and the
 * person. The caller checks that they may join.
 * @throws Failure guild.full (detail.most)
 */
export async function join(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<boolean> {
  const now = clock.now()
  if (await memberRows.isMember(tx, guildId, userId)) return false
  await requireRoom(tx, guildId)
  if (!(await memberRows.addMember(tx, guildId, userId, now))) return false
  await indexMember(tx, guildId, userId)
  emit.guild(guildId, memberJoined, { user_id: userId, joined_at: now })
  emit.person(userId, selfJoined, { guild_id: guildId })
  return true
}

/** Ends a membership and its roles. False, without an effect, when the person is not a member. */
export async function leave(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<boolean> {
  if (!(await memberRows.removeMember(tx, guildId, userId))) return false
  emit.guild(guildId, memberExited, { user_id: userId, exited_at: clock.now() })
  emit.person(userId, selfExited, { guild_id: guildId })
  return true
}

/** The caller leaves a guild. */
export const leaveGuild = (live: Live, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(live, (tx, emit) => removeMember(tx, emit, guildId, userId))

/** Creates a guild with the everyone role and its owner as the first member. It has no channels yet. */
export async function createGuild(
  tx: Tx,
  emit: Emit,
  it: {
    readonly name: string
    readonly ownerId: UserId
    readonly topic?: string
    readonly icon?: string
  },
): Promise<GuildId> {
  const id = await rows.addGuild(tx, {
    name: it.name,
    topic: it.topic ?? '',
    icon: it.icon ?? '',
    ownerId: it.ownerId,
    everyone: { name: guildText[defaultLocale].everyoneRole, permissions: DEFAULT_EVERYONE },
    now: clock.now(),
  })
  await join(tx, emit, id, it.ownerId)
  return id
}

/** Adds a role below all others except everyone's. With `emit` its event is emitted. */
export async function addRole(tx: Tx, guildId: GuildId, it: roleRows.NewRole, emit?: Emit): Promise<Role> {
  const role = await roleRows.addRole(tx, guildId, it)
  emit?.guild(guildId, roleAdded, toPublicRole(role))
  return role
}

/** Changes a role; the fields that are given. Null: the guild has no such role. */
export async function updateRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  roleId: RoleId,
  change: Partial<roleRows.RoleChange>,
): Promise<Role | null> {
  const role = await roleRows.updateRole(tx, guildId, roleId, change)
  if (role) emit.guild(guildId, roleUpdated, toPublicRole(role))
  return role
}

/** Deletes a role; its members lose it. Null: the guild has no such role, or it is everyone's. */
export async function deleteRole(tx: Tx, emit: Emit, guildId: GuildId, roleId: RoleId): Promise<Role | null> {
  const role = await roleRows.deleteRole(tx, guildId, roleId)
  if (role) emit.guild(guildId, roleDeleted, toPublicRole(role))
  return role
}

/** Gives a member a role. The caller checks that the guild has the role. */
export async function giveRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  roleId: RoleId,
): Promise<void> {
  await memberRows.giveRole(tx, guildId, userId, roleId)
  await emitMember(tx, emit, guildId, userId)
}

/** Takes a role from a member; no change if they do not have it. */
export async function takeRole(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  roleId: RoleId,
): Promise<void> {
  await memberRows.takeRole(tx, guildId, userId, roleId)
  await emitMember(tx, emit, guildId, userId)
}

/** Sets a member's nickname; empty: the username is shown. Emits to the guild. */
export async function setNickname(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  userId: UserId,
  nickname: string,
): Promise<void> {
  await memberRows.setNickname(tx, guildId, userId, nickname)
  await indexMember(tx, guildId, userId)
  await emitMember(tx, emit, guildId, userId)
}

/**
 * Guilds that are told in one transaction how a member is called and looks: it locks the counters of their
 * events.
 */
const TOLD_AT_ONCE = 100

/**
 * Tells the members of a person's guilds, with one event for each, how they are called and look from now on,
 * and renews what finds them by name: in the guilds after `after`, in one bounded batch. Returns the last
 * one; null when none are left. The caller holds the lock of the person, so that no older name or picture is
 * told after a newer one.
 */
export async function tellSomeGuildsOf(
  tx: Tx,
  emit: Emit,
  face: ChangedFace,
  after: GuildId | null,
): Promise<GuildId | null> {
  await key(tx, await memberRows.lockUnkeyed(tx, { userId: face.user_id, most: TOLD_AT_ONCE }))
  const next = await memberRows.someMemberships(tx, face.user_id, after, TOLD_AT_ONCE)
  for (const { guild_id, nickname } of next)
    emit.guild(guild_id, memberFaceUpdated, { ...face, nickname: nickname || face.username })
  return next.length < TOLD_AT_ONCE ? null : next.at(-1)!.guild_id
}

async function emitMember(tx: Tx, emit: Emit, guildId: GuildId, userId: UserId): Promise<void> {
  const [member] = await memberRows.namedMembers(tx, guildId, [userId])
  const roles = await memberRows.memberRoles(tx, guildId, userId)
  if (!member || !roles) return
  emit.guild(guildId, memberUpdated, { user_id: userId, nickname: member.nickname, roles })
}

/** Adds a member to the guild's team, which may send in read-only channels. */
export const addToTeam = (tx: Tx, guildId: GuildId, userId: UserId): Promise<void> =>
  rows.addTeam(tx, guildId, userId)

/** Bans a person from joining. A membership they have is not ended. */
export const ban = (tx: Tx, guildId: GuildId, userId: UserId): Promise<void> =>
  memberRows.addBan(tx, guildId, userId, clock.now())

/** Sets the first channel that members see. Without `emit` nobody is told: a new guild has no members yet. */
export async function setDefaultChannel(
  tx: Tx,
  guildId: GuildId,
  channelId: ChannelId | null,
  emit?: Emit,
): Promise<void> {
  await rows.setDefaultChannel(tx, guildId, channelId)
  if (emit) await emitGuild(tx, emit, guildId)
}

/** Locks a guild until the commit, so that changes of its roles and channels run one after the other. */
export const lockGuild = (tx: Tx, guildId: GuildId): Promise<void> => rows.lockGuild(tx, guildId)

/**
 * Sets the welcome channel, null: none. Emits to the guild. The caller checks that the channel belongs to the
 * guild.
 */
export async function setWelcomeChannel(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  channelId: ChannelId | null,
): Promise<void> {
  await rows.setWelcomeChannel(tx, guildId, channelId)
  await emitGuild(tx, emit, guildId)
}

/**
 * Sets the custom id of a guild, `''`: none, and the code of the invite that its address leads to. Emits to
 * the guild. The caller checks that it fits; that it is unique is up to the database.
 */
export async function setCustomId(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  it: { readonly customId: string; readonly invite: string | null },
): Promise<void> {
  await rows.setCustomId(tx, guildId, { ...it, customId: it.customId === '' ? null : it.customId })
  await emitGuild(tx, emit, guildId)
}

/** The guild of a custom id, in any case; null when there is none. */
export const findByCustomId = (db: Db, customId: string): Promise<GuildId | null> =>
  rows.byCustomId(db, customId)

/** Changes how a guild looks to others. Emits to the guild. The caller checks that it fits. */
export async function setFace(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  { desc, ...face }: Partial<GuildFace>,
): Promise<void> {
  const change = { ...face, ...(desc !== undefined && { topic: desc }) }
  if (Object.keys(change).length === 0) return
  await rows.setFace(tx, guildId, change)
  await emitGuild(tx, emit, guildId)
}

/** Sets how many boost packs a guild has in use, and its level. Emits to the guild when that is new. */
export async function setBoosts(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  it: { readonly boost_num: number; readonly level: number },
): Promise<void> {
  if (await rows.setBoosts(tx, guildId, it)) await emitGuild(tx, emit, guildId)
}

/**
 * Refuses who may not do something in a guild as a whole.
 * @throws Failure forbidden (no member), member.no_right
 */
export async function requireGuildRight(
  db: Db,
  userId: UserId,
  guildId: GuildId,
  right: number,
): Promise<GuildAccess> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  if (!has(inside.permissions, right)) throw fail('member.no_right')
  return inside
}
