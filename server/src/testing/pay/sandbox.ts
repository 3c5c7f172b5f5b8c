/** What journeys do at the payment sandbox, and the people who buy there. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken } from '../../auth/sessions.ts'
import type { Db } from '../../kit/database/db.ts'

export { type ControlInput, openControl } from '@guildhall/sandbox/control.ts'
export { findSandbox, type SandboxAccess } from '@guildhall/sandbox/sandbox.ts'

/** Makes accounts that are logged in, `buyer 0` and so on; their tokens. */
export async function openBuyers(db: Db, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < count; n += 1) {
    const token = randomUUID()
    await sql`
      with person as (
        insert into "user" (username, identify_num, mobile_prefix, mobile, mobile_verified, created_at)
        values (${`buyer ${n}`}, '0001', '86', ${String(13_900_000_000 + n)}, true, 0) returning id
      )
      insert into session (id, token_hash, user_id, remember, created_at, seen_at)
      select ${randomUUID()}, ${hashToken(token)}, id, true, ${Date.now()}::bigint, ${Date.now()}::bigint from person`.execute(
      db,
    )
    tokens.push(token)
  }
  return tokens
}
