/** Who was here on which day of Beijing. Rows are kept until their day is counted for good. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { deleteDaysBefore } from '../kit/database/days.ts'
import type { Db } from '../kit/database/db.ts'

/** `day`: `YYYY-MM-DD`. */
export async function recordActive(db: Db, day: string, userIds: readonly UserId[]): Promise<void> {
  await sql`
    insert into active_day (day, user_id) select ${day}, user_id from unnest(${userIds}::bigint[]) as it(user_id)
    on conflict do nothing`.execute(db)
}

export async function countActive(db: Db, day: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from active_day where day = ${day}`.execute(db)
  return rows[0]!.n
}

/** Forgets who was here before a day, in small statements. */
export async function forgetActive(db: Db, before: string): Promise<void> {
  while ((await deleteDaysBefore(db, 'active_day', before)) > 0);
}
