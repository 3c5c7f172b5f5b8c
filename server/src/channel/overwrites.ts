/**
 * The overwrites of a channel. Nobody raises permissions that they lack, or touches roles and members above
 * them. protocol.md §4.6, §8.3.
 */
import { type Channel, channelType, channelUpdated } from '@guildhall/wire/channel/channel.ts'
import { CHANNEL_USERS_MAX } from '@guildhall/wire/channel/overwrite.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { mayChangeBits, outranks, outranksRole } from '@guildhall/wire/permission/hierarchy.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { writeAudit } from '../audit/audit.ts'
import { lockGuild } from '../guild/guild.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type GuildAccess, guildAccess, memberRoles } from '../role/role.ts'
import type { ChannelAccess } from './access.ts'
import { auditOverwrite, channelTarget } from './audit.ts'
import { channelAccess, emitChannel, userRulesFor } from './channel.ts'
import * as rows from './sql.ts'

/** Whom an overwrite is for. */
export type Target = { readonly role_id: RoleId } | { readonly user_id: UserId }

interface Masks {
  readonly allow: number
  readonly deny: number
}
const NOTHING: Masks = { allow: 0, deny: 0 }

/** A person who manages the roles of a channel. */
interface Actor {
  readonly access: ChannelAccess
  readonly inside: GuildAccess
}

/** @throws Failure forbidden (they may not view the channel, or not manage roles in it) */
async function requireManages(db: Db, userId: UserId, channelId: ChannelId): Promise<ChannelAccess> {
  const access = await channelAccess(db, userId, channelId)
  if (!access?.canView || !has(access.permissions, permission.manage_role)) throw fail('forbidden')
  return access
}

/** The same, with the guild locked: no concurrent change makes the check outdated. */
async function lockManages(tx: Tx, userId: UserId, channelId: ChannelId): Promise<Actor> {
  const channel = await rows.byId(tx, channelId)
  if (!channel) throw fail('forbidden')
  await lockGuild(tx, channel.guild_id)
  const access = await requireManages(tx, userId, channelId)
  const inside = await guildAccess(tx, userId, channel.guild_id)
  if (!inside) throw fail('forbidden')
  return { access, inside }
}

/**
 * Refuses overwrites of roles and members who are not below the person.
 * @throws Failure role.unknown, role.above, guild.not_member (`isNew`), guild.outranked
 */
async function requireBelow(tx: Tx, { inside }: Actor, target: Target, isNew: boolean): Promise<void> {
  const { roles, viewer, summary } = inside
  if ('role_id' in target) {
    const role = roles.find((each) => each.role_id === target.role_id)
    if (!role) throw fail('role.unknown')
    if (!outranksRole(viewer, role, roles)) throw fail('role.above')
    return
  }
  const held = await memberRoles(tx, summary.id, target.user_id)
  // The overwrite of somebody who left may be removed.
  if (!held && isNew) throw fail('guild.not_member')
  const member = { is_master: summary.user_id === target.user_id, roles: held ?? [] }
  if (held && !outranks(viewer, member, roles)) throw fail('guild.outranked')
}

/** @throws Failure role.bits */
function requireBits({ access }: Actor, earlier: Masks, after: Masks): void {
  const own = access.permissions
  const before = cleaned(earlier)
  if (!mayChangeBits(own, before.allow, after.allow) || !mayChangeBits(own, before.deny, after.deny))
    throw fail('role.bits')
}

/**
 * Masks as they are stored: no bit is both allowed and denied, and none is of administrators, who only the
 * guild makes.
 */
const cleaned = ({ allow, deny }: Masks): Masks => ({
  allow: allow & ~permission.manage,
  deny: deny & ~allow & ~permission.manage,
})

/** The bits of `to`, and of `before` all others. */
const changed = (before: Masks, to: Masks, bits = ~0): Masks => ({
  allow: (before.allow & ~bits) | (to.allow & bits),
  deny: (before.deny & ~bits) | (to.deny & bits),
})

const isSame = (a: Masks, b: Masks): boolean => a.allow === b.allow && a.deny === b.deny

type Rules = Awaited<ReturnType<typeof rows.rulesOf>>

const findRule = (rules: Rules, target: Target): Masks | undefined =>
  'role_id' in target
    ? rules.roles.find((rule) => rule.role_id === target.role_id)
    : rules.users.find((rule) => rule.user_id === target.user_id)

/** The channel itself, and if it is a category the channels that follow it. */
async function followersOf(tx: Tx, channel: rows.ChannelRow): Promise<rows.ChannelRow[]> {
  if (channel.type !== channelType.category) return [channel]
  const children = await rows.children(tx, channel.id)
  return [channel, ...children.filter(({ permission_sync }) => permission_sync === 1)]
}

/** Sets or, with null, deletes an overwrite in a channel and what follows it. Emits for each. */
async function apply(
  tx: Tx,
  emit: Emit,
  channel: rows.ChannelRow,
  target: Target,
  masks: Masks | null,
): Promise<void> {
  for (const { id, guild_id } of await followersOf(tx, channel)) {
    if (!masks) await rows.deleteRules(tx, id, target)
    else if ('role_id' in target)
      await rows.setRoleRule(tx, { channelId: id, guildId: guild_id, roleId: target.role_id, ...masks })
    else await rows.setUserRule(tx, { channelId: id, userId: target.user_id, ...masks })
    if (id === channel.id && channel.parent_id !== null) await rows.endSync(tx, id)
    await emitChannel(tx, emit, id, channelUpdated)
  }
}

/** All overwrites as the protocol lists them. */
async function shown(
  appContext: Pick<AppContext, 'db' | 'presence' | 'publicUrl'>,
  userId: UserId,
  access: ChannelAccess,
) {
  const users = (await userRulesFor(appContext, userId, [access])).get(access.channel.id) ?? []
  return {
    permission_overwrites: [...access.rules],
    permission_users: users.map((rule) => ({ ...rule, user: publicUser(rule.user) })),
  }
}

/**
 * The overwrites of a channel.
 * @throws Failure forbidden
 */
export async function listOverwrites(appContext: AppContext, userId: UserId, channelId: ChannelId) {
  const access = await requireManages(appContext.db, userId, channelId)
  return { ...(await shown(appContext, userId, access)), permission_sync: access.channel.permission_sync }
}

/**
 * Sets an overwrite; with null it creates one that changes nothing, or leaves the one there is.
 * @throws Failure forbidden, role.unknown, role.above, guild.not_member, guild.outranked, role.bits,
 *   channel.users_full (detail.most)
 */
export async function setOverwrite(
  appContext: AppContext,
  userId: UserId,
  input: {
    readonly channelId: ChannelId
    readonly target: Target
    readonly masks: Masks | null
    /** Of the overwrite that there is only these change; by default all. */
    readonly bits?: number | undefined
  },
) {
  const { target } = input
  const masks = await commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.channelId)
    await requireBelow(tx, actor, target, true)
    const rules = await rows.rulesOf(tx, input.channelId)
    const before = findRule(rules, target)
    if (!before && 'user_id' in target && rules.users.length >= CHANNEL_USERS_MAX)
      throw fail('channel.users_full', { most: CHANNEL_USERS_MAX })
    const after = input.masks
      ? cleaned(changed(before ?? NOTHING, input.masks, input.bits))
      : (before ?? NOTHING)
    requireBits(actor, before ?? NOTHING, after)
    if (!before || !isSame(before, after)) {
      const { channel } = actor.access
      await apply(tx, emit, channel, target, after)
      await auditOverwrite(tx, userId, {
        channel,
        inside: actor.inside,
        target,
        before: before ?? null,
        after,
      })
    }
    return { allow: after.allow, deny: after.deny }
  })
  if ('role_id' in target) return { role_id: target.role_id, ...masks }
  const user = await memberIdentity(appContext, input.channelId, target.user_id)
  return { user_id: target.user_id, ...(user && { user }), ...masks }
}

async function memberIdentity(appContext: AppContext, channelId: ChannelId, userId: UserId) {
  const entry = { channel: { id: channelId }, permissions: 0, ownRule: NOTHING }
  const [rule] = (await userRulesFor(appContext, userId, [entry])).get(channelId) ?? []
  return rule && publicUser<Channel['permission_users'][number]['user']>(rule.user)
}

/**
 * Deletes an overwrite, if there is one.
 * @throws Failure forbidden, role.unknown, role.above, guild.outranked, role.bits
 */
export function deleteOverwrite(
  appContext: AppContext,
  userId: UserId,
  input: { readonly channelId: ChannelId; readonly target: Target },
): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, input.channelId)
    await requireBelow(tx, actor, input.target, false)
    const before = findRule(await rows.rulesOf(tx, input.channelId), input.target)
    if (!before) return
    requireBits(actor, before, NOTHING)
    const { channel } = actor.access
    await apply(tx, emit, channel, input.target, null)
    const { inside } = actor
    await auditOverwrite(tx, userId, { channel, inside, target: input.target, before, after: null })
  })
}

/**
 * Replaces the overwrites of a channel by those of its category, which it follows from then on. Whoever may
 * not change each of the differences alone may not do it.
 * @throws Failure forbidden, channel.no_category, role.above, guild.outranked, role.bits
 */
export async function syncOverwrites(appContext: AppContext, userId: UserId, channelId: ChannelId) {
  const after = await commit(appContext, async (tx, emit) => {
    const actor = await lockManages(tx, userId, channelId)
    const { channel } = actor.access
    if (channel.parent_id === null) throw fail('channel.no_category')
    const [own, wanted] = [await rows.rulesOf(tx, channelId), await rows.rulesOf(tx, channel.parent_id)]
    for (const { target, before, to } of changesBetween(own, wanted)) {
      await requireBelow(tx, actor, target, false)
      requireBits(actor, before, to)
    }
    await rows.deleteRules(tx, channelId)
    await rows.copyRules(tx, channelId, channel.parent_id)
    await rows.change(tx, channelId, { permission_sync: 1 })
    await emitChannel(tx, emit, channelId, channelUpdated)
    const { guild_id: guildId } = channel
    await writeAudit(tx, { guildId, by: userId, type: 'overwrites_synced', target: channelTarget(channel) })
    return channelAccess(tx, userId, channelId)
  })
  if (!after?.canView) return { permission_overwrites: [], permission_users: [] }
  return shown(appContext, userId, after)
}

/** The overwrites that differ between two sets. */
function changesBetween(own: Rules, wanted: Rules) {
  const targets: Target[] = [...own.roles, ...wanted.roles].map(({ role_id }) => ({ role_id }))
  for (const { user_id } of [...own.users, ...wanted.users]) targets.push({ user_id })
  return targets
    .map((target) => ({
      target,
      before: findRule(own, target) ?? NOTHING,
      to: findRule(wanted, target) ?? NOTHING,
    }))
    .filter(({ before, to }) => !isSame(before, to))
}
