/**
 * What newcomers of a guild are shown: rules that they accept before they write, and roles that members
 * choose themselves. Decision 119.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import type { Onboarding, Question, updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { mayBeChosen } from '@guildhall/wire/permission/dangerous.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { differing, writeAudit } from '../audit/audit.ts'
import { emitGuild, guildTarget, lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { requireAllowed } from '../kit/screening.ts'
import {
  emitMember,
  giveRole,
  guildAccess,
  lockGrantable,
  memberRoles,
  requireGuildRight,
  takeRole,
} from '../role/role.ts'
import { CHOICES } from './limit.ts'
import * as rows from './sql.ts'

/** @throws Failure forbidden (no member) */
export async function viewOnboarding(db: Db, userId: UserId, guildId: GuildId): Promise<Onboarding> {
  const inside = await guildAccess(db, userId, guildId)
  if (!inside) throw fail('forbidden')
  return shown(await storedOf(db, guildId), inside.roles)
}

/** @throws Failure forbidden (no such guild) */
async function storedOf(db: Db, guildId: GuildId): Promise<rows.OnboardingRow> {
  const row = await rows.of(db, guildId)
  if (!row) throw fail('forbidden')
  return row
}

/** Without roles that are gone or got rights over others, and questions that none is left of. */
function shown({ rules_on, rules, questions }: rows.OnboardingRow, roles: readonly Role[]): Onboarding {
  const open = new Set(roles.filter(mayBeChosen).map(({ role_id }) => role_id))
  return {
    rules_on,
    rules: [...rules],
    questions: questions
      .map((it) => ({ ...it, role_ids: it.role_ids.filter((id) => open.has(id)) }))
      .filter(({ role_ids }) => role_ids.length > 0),
  }
}

/**
 * Changes what is given. Emits to the guild. Who was a member before the rules were switched on need not
 * accept them, and who accepted need not again when they change.
 * @throws Failure forbidden, member.no_right, onboarding.no_rules, onboarding.role_over_others, role.above,
 *   role.bits, role.everyone, role.unknown, content.refused, content.reserved, bad_input (a role twice)
 */
export async function changeOnboarding(
  appContext: AppContext,
  userId: UserId,
  { guild_id: guildId, ...wanted }: InputOf<typeof updateOnboarding>,
): Promise<Onboarding> {
  const texts = [
    ...(wanted.rules ?? []).flatMap(({ title, words }) => [title, words]),
    ...(wanted.questions ?? []).map(({ title }) => title),
  ]
  if (texts.length > 0) await requireAllowed(appContext, { target: 'guild', userId, texts: ['', ...texts] })
  return commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary, roles } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const before = await storedOf(tx, guildId)
    const after = { ...before, ...given(wanted) }
    if (after.rules_on && after.rules.length === 0) throw fail('onboarding.no_rules')
    if (wanted.questions) await requireOfferable(tx, userId, guildId, before, wanted.questions)
    const changed = differing(written(before, roles), written(after, roles))
    if (!changed) return shown(before, roles)
    if (wanted.rules || wanted.questions) await rows.set(tx, guildId, after)
    if (after.rules_on !== before.rules_on)
      await rows.setRulesSince(tx, guildId, after.rules_on ? clock.now() : null)
    await emitGuild(tx, emit, guildId)
    const target = guildTarget(summary)
    await writeAudit(tx, { guildId, by: userId, type: 'onboarding_updated', target, ...changed })
    return shown(after, roles)
  })
}

/** The fields that are given. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/** Roles that are offered anew have to be such as the caller could grant, and give nothing over others. */
async function requireOfferable(
  tx: Tx,
  userId: UserId,
  guildId: GuildId,
  before: rows.OnboardingRow,
  questions: readonly Question[],
): Promise<void> {
  const wanted = idsIn(questions)
  if (new Set(wanted).size < wanted.length) throw fail('bad_input')
  const offered = new Set(idsIn(before.questions))
  for (const id of wanted.filter((each) => !offered.has(each)))
    if (!mayBeChosen(await lockGrantable(tx, userId, guildId, id))) throw fail('onboarding.role_over_others')
}

const idsIn = (questions: readonly Question[]): RoleId[] => questions.flatMap(({ role_ids }) => role_ids)

/** As the audit log says it: roles by their names. */
function written({ rules_on, rules, questions }: rows.OnboardingRow, roles: readonly Role[]) {
  const nameOf = (id: RoleId) => roles.find(({ role_id }) => role_id === id)?.name ?? String(id)
  return {
    rules_on,
    rules: rules.map(({ title, words }) => (words === '' ? title : `${title}: ${words}`)).join('\n'),
    questions: questions
      .map(
        ({ title, several, role_ids }) =>
          `${title}${several ? ' +' : ''}: ${role_ids.map(nameOf).join(', ')}`,
      )
      .join('\n'),
  }
}

/**
 * A member accepts the rules. Emits to the guild, as with each change of what a member may do; nothing when
 * they did before.
 * @throws Failure forbidden (no member)
 */
export const acceptRules = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const inside = await guildAccess(tx, userId, guildId)
    if (!inside) throw fail('forbidden')
    if (inside.owesRules && (await rows.accept(tx, guildId, userId, clock.now())))
      await emitMember(tx, emit, guildId, userId)
  })

/**
 * A member takes a role that the guild offers, or gives it back; where its question has one answer, they lose
 * the others. Emits to the guild for each role that changed. Their roles afterwards.
 * @throws Failure forbidden (no member), onboarding.rules_needed, onboarding.not_offered, too_many
 */
export const chooseRole = (
  appContext: AppContext,
  userId: UserId,
  {
    guildId,
    roleId,
    isChosen,
  }: { readonly guildId: GuildId; readonly roleId: RoleId; readonly isChosen: boolean },
): Promise<{ roles: RoleId[] }> =>
  commit(appContext, async (tx, emit) => {
    await useAttempt(tx, CHOICES, `${guildId} ${userId}`)
    // No role is deleted, and no other choice of theirs is between.
    await lockGuild(tx, guildId)
    const inside = await guildAccess(tx, userId, guildId)
    if (!inside) throw fail('forbidden')
    if (inside.owesRules) throw fail('onboarding.rules_needed')
    const { questions } = shown(await storedOf(tx, guildId), inside.roles)
    const question = questions.find(({ role_ids }) => role_ids.includes(roleId))
    if (!question) throw fail('onboarding.not_offered')
    const held = inside.viewer.roles
    const others = isChosen && !question.several ? question.role_ids.filter((id) => id !== roleId) : []
    const lost = (isChosen ? others : [roleId]).filter((id) => held.includes(id))
    for (const id of lost) await takeRole(tx, emit, guildId, userId, id)
    if (isChosen && !held.includes(roleId)) await giveRole(tx, emit, guildId, userId, roleId)
    return { roles: (await memberRoles(tx, guildId, userId)) ?? [] }
  })

/** The owner of a guild that begins is shown what it still needs. */
export const beginChecklist = (tx: Tx, guildId: GuildId): Promise<void> =>
  rows.setChecklist(tx, guildId, true)

/** Its owner closes that. Emits to the guild. @throws Failure forbidden (no member), guild.not_owner */
export const closeChecklist = (appContext: AppContext, userId: UserId, guildId: GuildId): Promise<void> =>
  commit(appContext, async (tx, emit) => {
    const inside = await guildAccess(tx, userId, guildId)
    if (!inside) throw fail('forbidden')
    if (!inside.viewer.is_master) throw fail('guild.not_owner')
    if (!inside.hasChecklist) return
    await rows.setChecklist(tx, guildId, false)
    await emitGuild(tx, emit, guildId)
  })
