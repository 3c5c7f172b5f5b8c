/** What newcomers of a guild are shown, and who accepted its rules. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Question, Rule } from '@guildhall/wire/onboarding/onboarding.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'

export interface OnboardingRow {
  readonly rules_on: boolean
  readonly rules: readonly Rule[]
  /** With roles that are gone, or got rights over others. */
  readonly questions: readonly Question[]
}

/** Null: there is no such guild. */
export async function of(db: Db, guildId: GuildId): Promise<OnboardingRow | null> {
  const { rows } = await sql<OnboardingRow>`
    select guild.rules_since is not null as rules_on, coalesce(it.rules, '[]') as rules,
      coalesce(it.questions, '[]') as questions
    from guild left join guild_onboarding it on it.guild_id = guild.id
    where guild.id = ${guildId} and guild.deleted_at is null`.execute(db)
  return rows[0] ?? null
}

export async function set(
  tx: Tx,
  guildId: GuildId,
  { rules, questions }: Pick<OnboardingRow, 'rules' | 'questions'>,
): Promise<void> {
  await sql`
    insert into guild_onboarding (guild_id, rules, questions)
    values (${guildId}, ${JSON.stringify(rules)}, ${JSON.stringify(questions)})
    on conflict (guild_id) do update set rules = excluded.rules, questions = excluded.questions`.execute(tx)
}

/** `since`: ms; null: nobody has to accept them. */
export async function setRulesSince(tx: Tx, guildId: GuildId, since: number | null): Promise<void> {
  await tx.updateTable('guild').set({ rules_since: since }).where('id', '=', guildId).execute()
}

/** False when the member accepted before. */
export async function accept(tx: Tx, guildId: GuildId, userId: UserId, now: number): Promise<boolean> {
  const row = await tx
    .updateTable('membership')
    .set({ rules_accepted_at: now })
    .where('guild_id', '=', guildId)
    .where('user_id', '=', userId)
    .where('rules_accepted_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the owner is shown what the guild still needs. */
export async function setChecklist(tx: Tx, guildId: GuildId, isShown: boolean): Promise<void> {
  await sql`
    insert into guild_onboarding (guild_id, has_checklist) values (${guildId}, ${isShown})
    on conflict (guild_id) do update set has_checklist = excluded.has_checklist`.execute(tx)
}
