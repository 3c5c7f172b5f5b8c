/**
 * Guilds, as staff find and see them, and what staff do to them. Owners are told by the official account. The
 * command line uses the same functions.
 */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILD_RESTORABLE_MS } from '@guildhall/wire/guild/guild.ts'
import { rightsAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import {
  FOUND_GUILDS_MAX,
  type FoundGuild,
  type findGuildMembers,
  type findGuilds,
  SHOWN_REVISIONS_MAX,
  SHOWN_USES_MAX,
  type StaffGuild,
} from '@guildhall/wire/staff/guilds.ts'
import { memberTarget, writeAudit } from '../../audit/audit.ts'
import { boostersOf } from '../../boost/boost.ts'
import { countChannels } from '../../channel/channel.ts'
import { notifyFromOfficialAccount } from '../../chat/chat.ts'
import {
  changeOwner,
  closeGuild,
  type FoundGuildRow,
  findGuild,
  findGuildForStaff,
  findGuildsForStaff,
  type GuildQuery,
  guildTarget,
  restoreGuild,
} from '../../guild/guild.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../../kit/events/events.ts'
import { countMembers, membersInOrder, notifyRestored, searchMembers } from '../../member/member.ts'
import { revisionsOf } from '../../profile/profile.ts'
import { recommend } from '../../review/review.ts'
import { identitiesOf, pictureOf } from '../../user/user.ts'
import { auditActor, reasonDetail, record, refuseStaff, type StaffActor } from '../staffAction.ts'
import { text } from '../text.ts'

type GuildContext = Pick<AppContext, 'db' | 'publicUrl'>

/** A page of the guilds that are searched for. @throws Failure bad_input (nothing is asked for) */
export async function searchGuilds(
  appContext: GuildContext,
  input: InputOf<typeof findGuilds>,
): Promise<AnswerOf<typeof findGuilds>> {
  const found = await findGuildsForStaff(appContext.db, queryOf(input), FOUND_GUILDS_MAX + 1)
  return {
    items: found.slice(0, FOUND_GUILDS_MAX).map((row) => hitOf(row, appContext)),
    has_more: found.length > FOUND_GUILDS_MAX,
  }
}

function queryOf(input: InputOf<typeof findGuilds>): GuildQuery {
  const { guild_id, custom_id, owner_id, name } = input
  const after = input.after ?? null
  if (guild_id !== undefined) return { guildId: guild_id }
  if (custom_id !== undefined) return { customId: custom_id }
  if (owner_id !== undefined) return { ownerId: owner_id, after }
  const typed = name?.trim() ?? ''
  if (typed !== '') return { name: typed, after }
  throw fail('bad_input', { fields: ['guild_id', 'custom_id', 'owner_id', 'name'] })
}

function hitOf(row: FoundGuildRow, appContext: Pick<AppContext, 'publicUrl'>): FoundGuild {
  const { id, name, icon, level, created_at, recommended, username, identify_num } = row
  const owner = { id: row.user_id, username, identify_num }
  return {
    id,
    name,
    icon,
    level,
    created_at,
    recommended,
    custom_id: row.custom_id ?? '',
    owner: { ...owner, avatar: pictureOf({ ...owner, avatar: row.avatar }, appContext) },
    state: row.closed_at !== null ? 'closed' : row.deleted_at !== null ? 'deleted' : 'open',
  }
}

/** All that staff see of a guild. @throws Failure guild.unknown */
export async function viewGuild(appContext: GuildContext, guildId: GuildId): Promise<StaffGuild> {
  const { db } = appContext
  const row = await findGuildForStaff(db, guildId)
  if (!row) throw fail('guild.unknown')
  const [members, channels, uses, revisions] = await Promise.all([
    countMembers(db, guildId),
    countChannels(db, guildId),
    boostersOf(db, guildId, clock.now(), SHOWN_USES_MAX),
    revisionsOf(db, guildId, SHOWN_REVISIONS_MAX),
  ])
  const identities = await identitiesOf(db, [...new Set(uses.map(({ user_id }) => user_id))])
  return {
    ...hitOf(row, appContext),
    banner: row.banner,
    desc: row.topic,
    members,
    channels,
    boost_num: row.boost_num,
    boosts: uses.map(({ user_id: id, count, end_at }) => {
      const { username = '', identify_num = '', avatar = '' } = identities.get(id) ?? {}
      const user = { id, username, identify_num, avatar: pictureOf({ id, username, avatar }, appContext) }
      return { user, count, end_at }
    }),
    rights: rightsAt(row.level),
    revisions: revisions.map((it) => ({ ...it, decided_at: it.decided_at ?? 0 })),
    gone_at: row.deleted_at ?? 0,
    restorable_until: row.deleted_at === null ? 0 : row.deleted_at + GUILD_RESTORABLE_MS,
  }
}

/** Members of a guild by id or name. @throws Failure guild.unknown */
export async function searchGuildMembers(
  appContext: GuildContext,
  { guild_id, search }: InputOf<typeof findGuildMembers>,
): Promise<AnswerOf<typeof findGuildMembers>> {
  const { db } = appContext
  if (!(await findGuild(db, guild_id))) throw fail('guild.unknown')
  const typed = search.trim()
  const byId = /^[1-9]\d{0,15}$/.test(typed) ? await membersInOrder(db, guild_id, [typed as UserId]) : []
  const byName = await searchMembers(db, guild_id, typed)
  const found = new Map([...byId, ...byName].filter(({ bot }) => !bot).map((row) => [row.id, row]))
  return {
    items: [...found.values()].slice(0, FOUND_GUILDS_MAX).map((row) => ({
      id: row.id,
      username: row.username,
      identify_num: row.identify_num,
      avatar: pictureOf(row, appContext),
      nickname: row.nickname,
    })),
  }
}

/** How a guild is called, for what is written to its owner, also when it is closed. */
const facts = async (tx: Tx, guildId: GuildId) => {
  const row = await findGuildForStaff(tx, guildId)
  if (!row) throw fail('guild.unknown')
  return row
}

const notify = (appContext: AppContext, tx: Tx, emit: Emit, to: UserId, content: string): Promise<void> =>
  notifyFromOfficialAccount(appContext, tx, emit, { to, text: content })

/** What a guild's log says of each act on the guild itself. */
const ofGuild = (by: StaffActor, guildId: GuildId, name: string) => ({
  guildId,
  by: auditActor(by),
  target: guildTarget({ id: guildId, name }),
})

/** Closes a guild; its owner is told. @throws Failure guild.unknown */
export const shutGuild = (
  appContext: AppContext,
  by: StaffActor,
  guildId: GuildId,
  reason = '',
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await closeGuild(tx, emit, guildId)
    const { name, user_id, deleted_at } = await facts(tx, guildId)
    const until = Number(deleted_at) + GUILD_RESTORABLE_MS
    await notify(appContext, tx, emit, user_id, text[defaultLocale].closed(name, reason, until))
    await writeAudit(tx, { ...ofGuild(by, guildId, name), type: 'guild_closed', reason })
    await record(tx, by, 'guild close', { target: guildId, detail: { ...reasonDetail(reason), until } })
  })

/** Restores a guild that staff closed; its owner is told. @throws Failure guild.not_closed */
export async function reopenGuild(
  appContext: AppContext,
  by: StaffActor,
  guildId: GuildId,
  reason = '',
): Promise<void> {
  await commit(appContext, async (tx, emit) => {
    await restoreGuild(tx, guildId)
    const { name, user_id } = await facts(tx, guildId)
    await notify(appContext, tx, emit, user_id, text[defaultLocale].restored(name))
    await writeAudit(tx, { ...ofGuild(by, guildId, name), type: 'guild_restored', reason })
    await record(tx, by, 'guild restore', { target: guildId, detail: reasonDetail(reason) })
  })
  await notifyRestored(appContext, guildId)
}

/** Which guild somebody is to own, and why. */
export interface GuildHandover {
  readonly guildId: GuildId
  readonly userId: UserId
  readonly reason?: string | undefined
}

/**
 * Makes a member the owner of a guild; who owned it stays a member. Both are told. Staff neither get guilds
 * themselves nor take them from other staff. Answers how it is called, and who owned it.
 * @throws Failure guild.unknown, guild.not_member, guild.owns_too_many, staff.own_guild, staff.owner_already,
 *   user.unknown, forbidden
 */
export async function giveGuild(
  { appContext, tx, emit }: { readonly appContext: AppContext; readonly tx: Tx; readonly emit: Emit },
  by: StaffActor,
  input: GuildHandover,
): Promise<{ readonly name: string; readonly before: UserId }> {
  if (by.actor === input.userId || by.approvedBy === input.userId) throw fail('staff.own_guild')
  await refuseStaff(tx, by, input.userId)
  const before = await changeOwner(tx, emit, input.guildId, input.userId)
  await refuseStaff(tx, by, before)
  const { name } = await facts(tx, input.guildId)
  const [t, why] = [text[defaultLocale], input.reason ?? '']
  await notify(appContext, tx, emit, input.userId, t.ownerNow(name, why))
  await notify(appContext, tx, emit, before, t.ownerNoMore(name, why))
  await writeAudit(tx, {
    ...ofGuild(by, input.guildId, name),
    type: 'owner_changed',
    target: memberTarget(input.userId),
    before: { user_id: before },
    after: { user_id: input.userId },
    reason: input.reason,
  })
  await record(tx, by, 'guild owner', {
    userId: input.userId,
    target: input.guildId,
    detail: { ...reasonDetail(input.reason), before, after: input.userId },
  })
  return { name, before }
}

/** The same in a transaction of its own. */
export const giveGuildTo = (appContext: AppContext, by: StaffActor, input: GuildHandover): Promise<unknown> =>
  commit(appContext, (tx, emit) => giveGuild({ appContext, tx, emit }, by, input))

/**
 * Recommends a guild, or no longer; its owner is told. False, without an effect, when it was so before.
 * @throws Failure guild.unknown
 */
export const recommendBy = (
  appContext: AppContext,
  by: StaffActor,
  input: { readonly guildId: GuildId; readonly isOn: boolean; readonly reason?: string | undefined },
): Promise<boolean> =>
  commit(appContext, async (tx, emit) => {
    if (!(await findGuild(tx, input.guildId))) throw fail('guild.unknown')
    if (!(await recommend(tx, emit, input.guildId, input.isOn))) return false
    const { name, user_id } = await facts(tx, input.guildId)
    const t = text[defaultLocale]
    const content = input.isOn ? t.recommended(name) : t.recommendedNoMore(name, input.reason ?? '')
    await notify(appContext, tx, emit, user_id, content)
    await writeAudit(tx, {
      ...ofGuild(by, input.guildId, name),
      type: input.isOn ? 'guild_recommended' : 'guild_unrecommended',
      reason: input.reason,
    })
    await record(tx, by, input.isOn ? 'guild recommend' : 'guild unrecommend', {
      target: input.guildId,
      detail: reasonDetail(input.reason),
    })
    return true
  })
