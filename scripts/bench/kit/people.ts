// Logins of the people of a bench.
import { sql } from 'kysely'
import type { Db } from '../../../server/src/kit/database/db.ts'
import { ids } from '../../../server/src/kit/ids.ts'

/** Logs people in by their ids, and returns a token of each. */
export async function logIn(db: Db, people: readonly string[]): Promise<string[]> {
  const tokens = people.map(() => ids.token())
  const now = Date.now()
  await sql`
    insert into session (id, token_hash, user_id, remember, created_at, seen_at)
    select gen_random_uuid(), sha256(token::bytea), user_id, true, ${now}, ${now}
    from unnest(${tokens}::text[], ${people}::bigint[]) as login (token, user_id)`.execute(db)
  return tokens
}
