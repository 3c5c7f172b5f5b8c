/** Guilds: what they are, how they look, and those of a person. chat.md §3 and §6. */

import type { GuildSummary } from '@guildhall/wire/guild/guild.ts'
import { rightsAt } from '@guildhall/wire/guild/levelRights.ts'
import { toPublicGuild } from '@guildhall/wire/guild/publicGuild.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { GuildProfile } from '@guildhall/wire/profile/profile.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { Emit } from '../kit/events/events.ts'
import { emitGuild } from './guildUpdate.ts'
import { recommendInfoOf } from './recommend.ts'
import * as rows from './sql.ts'

export { guildTarget } from './audit.ts'
export { guildBadge } from './badge.ts'
export { closeGuild, requireOwnsNone, restoreGuild } from './guildControl.ts'
export { emitGuild } from './guildUpdate.ts'
export { requireAmount, requirePrivilege } from './levelRights.ts'
export { deletedGuilds, deleteGuild, restoreOwnGuild } from './owner/deletion.ts'
export { acceptTransfer, cancelTransfer, offerGuild, transferOf } from './owner/transfer.ts'
export { type Audit, recommendInfoOf, recommendOf, setAudit, setRecommended } from './recommend.ts'
export { KEY_MAX, keysOf, readingOf, spellingOf, spellingsOf } from './searchKeys.ts'
export { type GuildRow, owesRules, type SettingsRow } from './sql.ts'
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
    notify_type: row.notify_type,
    is_master: row.user_id === userId,
    team_members: row.team_members,
    my_roles: row.my_roles,
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
  input: { readonly page: number; readonly size: number; readonly sort: string },
) {
  const all = await rows.ofMember(db, userId)
  const way = input.sort === 'id' ? 1 : input.sort === '-id' ? -1 : 0
  if (way !== 0) all.sort((a, b) => way * (Number(a.id) - Number(b.id)))
  const limit = Math.min(input.size, LIST_SIZE_MAX)
  const first = (input.page - 1) * limit
  const { length: total } = all
  return {
    items: all.slice(first, first + limit).map((row) => toPublicGuild(summaryOf(row, userId), row.nickname)),
    meta: { page: input.page, page_total: Math.ceil(total / limit), page_size: limit, total },
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
 * A guild as one of its members sees it, what they are called there, whether they have to accept its rules,
 * whether it has roles to choose, and whether they are shown what it still needs; null for a person who is
 * none.
 */
export async function guildOfMember(
  db: Db,
  userId: UserId,
  guildId: GuildId,
): Promise<{
  readonly summary: GuildSummary
  readonly nickname: string
  readonly owesRules: boolean
  readonly offersRoles: boolean
  readonly hasChecklist: boolean
} | null> {
  const row = await rows.forMember(db, userId, guildId)
  return (
    row && {
      summary: summaryOf(row, userId),
      nickname: row.nickname,
      owesRules: row.owes_rules,
      offersRoles: row.offers_roles,
      hasChecklist: row.has_checklist,
    }
  )
}

/** A guild by its id, without a check of membership; null when there is none. */
export const findGuild = (db: Db, guildId: GuildId): Promise<rows.GuildRow | null> => rows.byId(db, guildId)

/** The same, also for one that is closed. */
export const findAnyGuild = rows.anyById

/** How many guilds that are open belong to a person. */
export const countOwned = (db: Db, userId: UserId): Promise<number> => rows.countOwned(db, userId)

/** The highest level among a person's guilds; 0 for a person without guilds. */
export const highestLevel = (db: Db, userId: UserId): Promise<number> => rows.highestLevel(db, userId)

/** A guild that is created. */
export interface NewGuild {
  readonly name: string
  readonly ownerId: UserId
  readonly topic?: string
  readonly icon?: string
}

/** Stores a guild. It has no role, no member and no channel yet. */
export const addGuild = (tx: Tx, { name, ownerId, topic = '', icon = '' }: NewGuild): Promise<GuildId> =>
  rows.addGuild(tx, { name, topic, icon, ownerId, now: clock.now() })

/** Adds a member to the guild's team, which may send in read-only channels. */
export const addToTeam = (tx: Tx, guildId: GuildId, userId: UserId): Promise<void> =>
  rows.addTeam(tx, guildId, userId)

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

/** What newcomers see first, and what members are notified of. */
export const settingsOf = rows.settings

/** Changes some of it. Emits to the guild. The caller checks that the channels belong to the guild. */
export async function setSettings(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  settings: Partial<rows.SettingsRow>,
): Promise<void> {
  if (Object.keys(settings).length === 0) return
  await rows.setSettings(tx, guildId, settings)
  await emitGuild(tx, emit, guildId)
}

/** Locks a guild until the commit, so that changes of its roles and channels run one after the other. */
export const lockGuild = (tx: Tx, guildId: GuildId): Promise<void> => rows.lockGuild(tx, guildId)

/** The level of a guild; nothing that the level limits is added until the commit. */
export const lockLevel = rows.lockLevel

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
  input: { readonly customId: string; readonly invite: string | null },
): Promise<void> {
  await rows.setCustomId(tx, guildId, { ...input, customId: input.customId === '' ? null : input.customId })
  await emitGuild(tx, emit, guildId)
}

/** The guild of a custom id, in any case; null when there is none. */
export const findByCustomId = (db: Db, customId: string): Promise<GuildId | null> =>
  rows.byCustomId(db, customId)

/** Changes how a guild looks to others. Emits to the guild. The caller checks that it fits. */
export async function setProfile(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  { desc, ...profile }: Partial<GuildProfile>,
): Promise<void> {
  const change = { ...profile, ...(desc !== undefined && { topic: desc }) }
  if (Object.keys(change).length === 0) return
  await rows.setProfile(tx, guildId, change)
  await emitGuild(tx, emit, guildId)
}

/** Sets how many boost packs a guild has in use, and its level. Emits to the guild when that is new. */
export async function setBoosts(
  tx: Tx,
  emit: Emit,
  guildId: GuildId,
  input: { readonly boost_num: number; readonly level: number },
): Promise<void> {
  if (await rows.setBoosts(tx, guildId, input)) await emitGuild(tx, emit, guildId)
}
