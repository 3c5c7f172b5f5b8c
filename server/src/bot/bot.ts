/**
 * Bots that people make themselves: who may have how many, who looks after them, and in which guilds they
 * are. Decision 115.
 */
import { BOTS_OWNED_MAX, GUILD_BOTS_MAX, type GuildBot } from '@guildhall/wire/bot/bot.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { amountAt } from '@guildhall/wire/guild/levelRights.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { outranks } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { changeIdentity, deleteAccount, type IdentityNotifier, identityDeps } from '../account/account.ts'
import { memberTarget, writeAudit } from '../audit/audit.ts'
import { giveBotToken } from '../auth/auth.ts'
import { lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { requireAllowed } from '../kit/screening.ts'
import { isBanned, join, leave } from '../member/member.ts'
import {
  addRole,
  auditGrant,
  type GuildAccess,
  giveRole,
  managedGuilds,
  memberRoles,
  requireGuildRight,
  roleTarget,
} from '../role/role.ts'
import { identitiesOf, identityOf, lockUser, registerBot, requireName } from '../user/user.ts'
import { BOT_CHANGES_PER_PERSON, BOT_TOKENS_PER_PERSON, BOTS_PER_PERSON } from './limit.ts'
import * as rows from './sql.ts'

/** A guild had more bots when there was no limit; no list is longer. */
const LISTED_MAX = 500

/** What acts need: who is told that a bot looks otherwise. */
export type BotDeps = IdentityNotifier & { readonly appContext: AppContext }

/**
 * Who made a bot looks after it. One without an owner is looked after by the owner of all guilds that it is
 * in, so that nobody gets a token that opens the guild of another.
 */
const looksAfter = ({ owner_id, masters }: rows.BotRow, userId: UserId): boolean =>
  owner_id === null ? masters.length === 1 && masters[0] === userId : owner_id === userId

/** @throws Failure bot.unknown, bot.not_yours */
async function requireOwn(db: Db, userId: UserId, botId: UserId): Promise<void> {
  const bot = await rows.byId(db, botId)
  if (!bot) throw fail('bot.unknown')
  if (!looksAfter(bot, userId)) throw fail('bot.not_yours')
}

/**
 * The bots of a guild, and the guilds into which the caller may bring bots.
 * @throws Failure forbidden (no member), member.no_right
 */
export async function listBots(appContext: AppContext, userId: UserId, guildId: GuildId) {
  const { db } = appContext
  await requireGuildRight(db, userId, guildId, permission.manage_guild)
  const found = await rows.inGuild(db, guildId, LISTED_MAX)
  const managed = await managedGuilds(db, userId, permission.manage_guild)
  return {
    items: await shown(appContext, userId, found),
    targets: managed.map(({ id, name }) => ({ id, name })),
  }
}

async function shown(
  appContext: AppContext,
  userId: UserId,
  bots: Awaited<ReturnType<typeof rows.inGuild>>,
): Promise<GuildBot[]> {
  const { db } = appContext
  const ids = bots.flatMap(({ id, owner_id }) => (owner_id === null ? [id] : [id, owner_id]))
  const people = await identitiesOf(db, [...new Set(ids)])
  const faceOf = (id: UserId | null) => {
    const row = id !== null && people.get(id)
    return row ? publicUser(identityOf(row, appContext)) : null
  }
  const guilds = await rows.guildsOf(
    db,
    bots.map(({ id }) => id),
    userId,
  )
  return bots.flatMap((bot) => {
    const user = faceOf(bot.id)
    const is_mine = looksAfter(bot, userId)
    const seen = guilds.filter((it) => it.bot_id === bot.id && (is_mine || it.is_shared))
    const named = seen.map(({ id, name }) => ({ id, name }))
    return user ? [{ user, owner: faceOf(bot.owner_id), roles: [...bot.roles], is_mine, guilds: named }] : []
  })
}

/**
 * Makes a bot of the caller's in a guild. `icon`: the address of a picture of theirs, empty without one.
 * @throws Failure forbidden, member.no_right, user.name_required, user.name_wrong, bot.owns_too_many,
 *   bot.guild_full, guild.full, asset.unknown, asset.too_large, content.refused, content.reserved, too_many
 */
export async function createBot(
  deps: BotDeps,
  userId: UserId,
  input: { readonly guildId: GuildId; readonly name: string; readonly icon: string },
): Promise<{ readonly bot: GuildBot; readonly token: string }> {
  const { appContext } = deps
  const { guildId, name, icon } = input
  requireName(name)
  await requireGuildRight(appContext.db, userId, guildId, permission.manage_guild)
  await requireAllowed(appContext, { target: 'username', userId, texts: [name] })
  const { id, token } = await commit(appContext, async (tx, emit) => {
    // The lock makes two of the person's calls at once count one after the other.
    await lockUser(tx, userId)
    if ((await rows.countOwned(tx, userId)) >= BOTS_OWNED_MAX)
      throw fail('bot.owns_too_many', { n: BOTS_OWNED_MAX })
    await useAttempt(tx, BOTS_PER_PERSON, userId)
    const made = await registerBot(tx, name)
    await rows.setOwner(tx, made.id, userId, clock.now())
    if (icon !== '') await changeIdentity(tx, emit, identityDeps(deps), made.id, { avatar: icon }, userId)
    await bring(tx, emit, userId, { guildId, bot: made })
    return { id: made.id, token: await giveBotToken(tx, emit, made.id) }
  })
  const all = await rows.inGuild(appContext.db, guildId, LISTED_MAX)
  const [bot] = await shown(
    appContext,
    userId,
    all.filter((it) => it.id === id),
  )
  if (!bot) throw new Error(`bot ${id} was made and is gone`)
  return { bot, token }
}

/** Makes a bot a member of a guild that the caller manages. @throws Failure as `addBot` */
async function bring(
  tx: Tx,
  emit: Emit,
  userId: UserId,
  {
    guildId,
    bot,
  }: { readonly guildId: GuildId; readonly bot: { readonly id: UserId; readonly username: string } },
): Promise<void> {
  // The lock makes two bots that come at once count one after the other.
  await lockGuild(tx, guildId)
  const inside = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
  if (await memberRoles(tx, guildId, bot.id)) return
  if (await isBanned(tx, guildId, bot.id)) throw fail('bot.banned')
  if ((await rows.countIn(tx, guildId)) >= GUILD_BOTS_MAX) throw fail('bot.guild_full', { n: GUILD_BOTS_MAX })
  await join(tx, emit, guildId, bot.id)
  await writeAudit(tx, { guildId, by: userId, type: 'bot_added', target: memberTarget(bot.id) })
  if (!mayMakeRole(inside)) return
  const look = { color: 0, hoist: 0, mentionable: 0 }
  const made = { ...look, name: bot.username, permissions: 0, made_for: bot.id }
  const role = await addRole(tx, guildId, made, emit)
  await writeAudit(tx, { guildId, by: userId, type: 'role_created', target: roleTarget(role) })
  await giveRole(tx, emit, guildId, bot.id, role.role_id)
  await auditGrant(tx, { guildId, by: userId, role, userId: bot.id, isGranted: true })
}

const mayMakeRole = ({ permissions, roles, summary }: GuildAccess): boolean =>
  has(permissions, permission.manage_role) && roles.length < amountAt('max_role_num', summary.level)

/**
 * A new token; the one before ends at once, with its connections.
 * @throws Failure bot.unknown, bot.not_yours, too_many
 */
export const renewToken = (appContext: AppContext, userId: UserId, botId: UserId): Promise<string> =>
  commit(appContext, async (tx, emit) => {
    await lockBot(tx, userId, botId)
    await useAttempt(tx, BOT_TOKENS_PER_PERSON, userId)
    return giveBotToken(tx, emit, botId)
  })

/** A bot that the caller looks after, locked. @throws Failure bot.unknown, bot.not_yours */
async function lockBot(tx: Tx, userId: UserId, botId: UserId): ReturnType<typeof lockUser> {
  await requireOwn(tx, userId, botId)
  const bot = await lockUser(tx, botId)
  // Somebody may have deleted it, or brought it elsewhere, while this waited.
  await requireOwn(tx, userId, botId)
  return bot
}

/**
 * Another name or picture; absent: it stays.
 * @throws Failure bot.unknown, bot.not_yours, user.name_required, user.name_wrong, asset.unknown,
 *   asset.too_large, content.refused, content.reserved, too_many
 */
export async function updateBot(
  deps: BotDeps,
  userId: UserId,
  input: { readonly botId: UserId; readonly name: string | undefined; readonly icon: string | undefined },
): Promise<void> {
  const { appContext } = deps
  const { botId, name: username, icon: avatar } = input
  await requireOwn(appContext.db, userId, botId)
  if (username !== undefined) {
    requireName(username)
    await requireAllowed(appContext, { target: 'username', userId, texts: [username] })
  }
  await commit(appContext, async (tx, emit) => {
    await lockBot(tx, userId, botId)
    await useAttempt(tx, BOT_CHANGES_PER_PERSON, userId)
    await changeIdentity(tx, emit, identityDeps(deps), botId, { username, avatar }, userId)
  })
}

/**
 * Brings a bot into another guild that the caller manages; nothing where it is there already.
 * @throws Failure bot.unknown, bot.not_yours, bot.banned, bot.guild_full, forbidden, member.no_right,
 *   guild.full, too_many
 */
export const addBot = (
  appContext: AppContext,
  userId: UserId,
  { botId, guildId }: { readonly botId: UserId; readonly guildId: GuildId },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const bot = await lockBot(tx, userId, botId)
    await useAttempt(tx, BOT_CHANGES_PER_PERSON, userId)
    await bring(tx, emit, userId, { guildId, bot })
  })

/**
 * Takes a bot out of a guild: one's own, or one below oneself in a guild that one manages. The role that was
 * made for it goes, too.
 * @throws Failure bot.unknown, forbidden, member.no_right, member.above, guild.not_member
 */
export const removeBot = (
  appContext: AppContext,
  userId: UserId,
  { botId, guildId }: { readonly botId: UserId; readonly guildId: GuildId },
): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const bot = await rows.byId(tx, botId)
    if (!bot) throw fail('bot.unknown')
    if (bot.owner_id !== userId) await requireMayRemove(tx, userId, { botId, guildId })
    if (!(await leave(tx, emit, guildId, botId, userId))) throw fail('guild.not_member')
    await auditRemoved(tx, userId, { botId, guildId })
  })

/** @throws Failure forbidden, member.no_right, guild.not_member, member.above */
async function requireMayRemove(
  tx: Tx,
  userId: UserId,
  { botId, guildId }: { readonly botId: UserId; readonly guildId: GuildId },
): Promise<void> {
  const { viewer, roles } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
  const its = await memberRoles(tx, guildId, botId)
  if (!its) throw fail('guild.not_member')
  if (!outranks(viewer, { is_master: false, roles: its }, roles)) throw fail('member.above')
}

/** Deletes a bot for good; its messages stay. @throws Failure bot.unknown, bot.not_yours */
export const deleteBot = (appContext: AppContext, userId: UserId, botId: UserId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    await lockBot(tx, userId, botId)
    for (const { id } of await rows.guildsOf(tx, [botId], userId)) {
      await leave(tx, emit, id, botId, userId)
      await auditRemoved(tx, userId, { botId, guildId: id })
    }
    await rows.forget(tx, botId)
    await deleteAccount(tx, emit, botId)
  })

const auditRemoved = (
  tx: Tx,
  userId: UserId,
  { botId, guildId }: { readonly botId: UserId; readonly guildId: GuildId },
): Promise<void> => writeAudit(tx, { guildId, by: userId, type: 'bot_removed', target: memberTarget(botId) })
