/** What newcomers of a guild are shown: rules that they accept before they write. Decision 119. */
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Onboarding, updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { differing, writeAudit } from '../audit/audit.ts'
import { emitGuild, guildTarget, lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { requireAllowed } from '../kit/screening.ts'
import { emitMember, guildAccess, requireGuildRight } from '../role/role.ts'
import * as rows from './sql.ts'

/** @throws Failure forbidden (no member) */
export async function viewOnboarding(db: Db, userId: UserId, guildId: GuildId): Promise<Onboarding> {
  if (!(await guildAccess(db, userId, guildId))) throw fail('forbidden')
  return storedOf(db, guildId)
}

/** @throws Failure forbidden (no such guild) */
async function storedOf(db: Db, guildId: GuildId): Promise<rows.OnboardingRow & Onboarding> {
  const row = await rows.of(db, guildId)
  if (!row) throw fail('forbidden')
  return { ...row, rules: [...row.rules] }
}

/**
 * Changes what is given. Emits to the guild. Who was a member before the rules were switched on need not
 * accept them, and who accepted need not again when they change.
 * @throws Failure forbidden, member.no_right, onboarding.no_rules, content.refused, content.reserved
 */
export async function changeOnboarding(
  appContext: AppContext,
  userId: UserId,
  { guild_id: guildId, ...wanted }: InputOf<typeof updateOnboarding>,
): Promise<Onboarding> {
  const texts = (wanted.rules ?? []).flatMap(({ title, words }) => [title, words])
  if (texts.length > 0) await requireAllowed(appContext, { target: 'guild', userId, texts: ['', ...texts] })
  return commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    const { summary } = await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const before = await storedOf(tx, guildId)
    const after = { ...before, ...given(wanted) }
    if (after.rules_on && after.rules.length === 0) throw fail('onboarding.no_rules')
    const changed = differing(written(before), written(after))
    if (!changed) return before
    if (wanted.rules) await rows.setRules(tx, guildId, after.rules)
    if (after.rules_on !== before.rules_on)
      await rows.setRulesSince(tx, guildId, after.rules_on ? clock.now() : null)
    await emitGuild(tx, emit, guildId)
    const target = guildTarget(summary)
    await writeAudit(tx, { guildId, by: userId, type: 'onboarding_updated', target, ...changed })
    return after
  })
}

/** The fields that are given. */
const given = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
  }

/** As the audit log says it. */
const written = ({ rules_on, rules }: Onboarding) => ({
  rules_on,
  rules: rules.map(({ title, words }) => (words === '' ? title : `${title}: ${words}`)).join('\n'),
})

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
