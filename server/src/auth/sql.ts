/** Codes, password hashes and sessions. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, countRows, int8 } from '../kit/columns.ts'
import { type Db, keptPlan, type Tx } from '../kit/db.ts'

export interface SessionRow {
  readonly id: string
  readonly user_id: UserId
  readonly remember: boolean
  /** ms */
  readonly seen_at: number
  readonly status: number
  readonly bot: boolean
}

/**
 * Stores a code for a number unless one was sent after `notAfter`, ms. Returns null when it was stored, else when the
 * last one was sent.
 */
export async function storeCode(
  db: Db,
  it: {
    readonly prefix: string
    readonly mobile: string
    readonly hash: Buffer
    readonly type: string
    readonly now: number
    readonly expires: number
    readonly notAfter: number
  },
): Promise<number | null> {
  const stored = await sql`
    insert into phone_code as it (mobile_prefix, mobile, code_hash, type, sent_at, expires_at)
    values (${it.prefix}, ${it.mobile}, ${it.hash}, ${it.type}, ${it.now}, ${it.expires})
    on conflict (mobile_prefix, mobile) do update set
      code_hash = excluded.code_hash, type = excluded.type, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, tries = 0, used_at = null
    where it.sent_at <= ${it.notAfter}
    returning 1`.execute(db)
  if (stored.rows.length > 0) return null
  const last = await db
    .selectFrom('phone_code')
    .select((eb) => asNumber(eb, 'sent_at').as('sent_at'))
    .where('mobile_prefix', '=', it.prefix)
    .where('mobile', '=', it.mobile)
    .executeTakeFirst()
  return last?.sent_at ?? it.now
}

/** Deletes a code that was never delivered, so that nobody has to wait for it. */
export async function deleteCode(db: Db, prefix: string, mobile: string, hash: Buffer): Promise<void> {
  await db
    .deleteFrom('phone_code')
    .where('mobile_prefix', '=', prefix)
    .where('mobile', '=', mobile)
    .where('code_hash', '=', hash)
    .execute()
}

/**
 * One try at the valid code of a number, counted and, when right, used up in the same statement: of two concurrent
 * tries only one can win. `none`: the number has no valid code.
 */
export async function tryCode(
  db: Db,
  it: {
    readonly prefix: string
    readonly mobile: string
    readonly hash: Buffer
    readonly now: number
    readonly most: number
  },
): Promise<'right' | 'wrong' | 'none'> {
  const { rows } = await sql<{ right: boolean }>`
    update phone_code set
      used_at = case when code_hash = ${it.hash} then ${it.now}::bigint end,
      tries = case when code_hash = ${it.hash} then tries else tries + 1 end
    where mobile_prefix = ${it.prefix} and mobile = ${it.mobile}
      and used_at is null and expires_at > ${it.now} and tries < ${it.most}
    returning used_at is not null as right`.execute(db)
  if (!rows[0]) return 'none'
  return rows[0].right ? 'right' : 'wrong'
}

export async function passwordHash(db: Db, userId: UserId): Promise<string | null> {
  const row = await db
    .selectFrom('credential')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.password_hash ?? null
}

export async function setPasswordHash(db: Db, userId: UserId, hash: string, now: number): Promise<void> {
  await db
    .insertInto('credential')
    .values({ user_id: userId, password_hash: hash, changed_at: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        password_hash: eb.ref('excluded.password_hash'),
        changed_at: eb.ref('excluded.changed_at'),
      })),
    )
    .execute()
}

export async function addSession(
  db: Db,
  it: {
    readonly id: string
    readonly hash: Buffer
    readonly userId: UserId
    readonly remember: boolean
    readonly now: number
  },
): Promise<void> {
  await db
    .insertInto('session')
    .values({
      id: it.id,
      token_hash: it.hash,
      user_id: it.userId,
      remember: it.remember,
      created_at: it.now,
      seen_at: it.now,
    })
    .execute()
}

const liveSessions = (db: Db) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'session.user_id', 'session.remember', 'user.status', 'user.bot'])
    .select((eb) => asNumber(eb, 'session.seen_at').as('seen_at'))
    .where('session.revoked_at', 'is', null)
    .where('user.deleted_at', 'is', null)

/** The sessions of some tokens: one result per hash, in order. */
export async function sessionsByToken(db: Db, hashes: readonly Buffer[]): Promise<(SessionRow | null)[]> {
  const { rows } = await sql<SessionRow & { readonly place: number }>`${keptPlan}
    select asked.place::int as place, session.id, session.user_id, session.remember,
      session.seen_at::float8 as seen_at, "user".status, "user".bot
    from unnest(${hashes}::bytea[]) with ordinality as asked(hash, place)
    join session on session.token_hash = asked.hash and session.revoked_at is null
    join "user" on "user".id = session.user_id and "user".deleted_at is null`.execute(db)
  const answers = hashes.map((): SessionRow | null => null)
  for (const { place, ...row } of rows) answers[place - 1] = row
  return answers
}

/** Those of some sessions that were not revoked; in no order. */
export const sessionsById = (db: Db, ids: readonly string[]): Promise<SessionRow[]> =>
  liveSessions(db).where('session.id', '=', sql<string>`any(${ids}::uuid[])`).execute()

export async function sessionById(db: Db, id: string): Promise<SessionRow | null> {
  return (await liveSessions(db).where('session.id', '=', id).executeTakeFirst()) ?? null
}

export async function markSeen(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('seen_at', '<', int8(now))
    .execute()
}

export async function revokeSession(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes all sessions of a person; returns their ids. */
export async function revokeSessionsOf(db: Db, userId: UserId, now: number): Promise<string[]> {
  const rows = await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sessions last used before these times, ms, have lapsed. */
export interface UsedAfter {
  readonly remembered: number
  readonly forgotten: number
}

/** How many sessions of a person are valid: revoked ones and those not used since these times, ms, are not. */
export async function countSessions(db: Db, userId: UserId, usedAfter: UsedAfter): Promise<number> {
  const row = await db
    .selectFrom('session')
    .select((eb) => countRows(eb).as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`not ${lapsed(usedAfter)}`)
    .executeTakeFirstOrThrow()
  return row.count
}

/** When each session of a person that is not revoked began and was last used, ms. */
export const sessionTimes = (
  db: Db,
  userId: UserId,
): Promise<{ readonly created_at: number; readonly seen_at: number }[]> =>
  db
    .selectFrom('session')
    .select((eb) => [asNumber(eb, 'created_at').as('created_at'), asNumber(eb, 'seen_at').as('seen_at')])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('session.created_at')
    .execute()

export async function deletePassword(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('credential').where('user_id', '=', userId).execute()
}

/** Deletes the sessions, the password and the code of an account, and the counts of attempts at its number. */
export async function erase(
  tx: Tx,
  it: { readonly userId: UserId; readonly prefix: string; readonly mobile: string; readonly key: string },
): Promise<void> {
  await tx.deleteFrom('session').where('user_id', '=', it.userId).execute()
  await deletePassword(tx, it.userId)
  if (it.mobile === '') return
  await tx
    .deleteFrom('phone_code')
    .where('mobile_prefix', '=', it.prefix)
    .where('mobile', '=', it.mobile)
    .execute()
  await sql`delete from attempt where starts_with(key, ${it.key})`.execute(tx)
}

/** Whether a session has lapsed. Bots' tokens do not. */
const lapsed = ({ remembered, forgotten }: UsedAfter) => sql<boolean>`(
  session.seen_at <= case when session.remember then ${remembered}::bigint else ${forgotten}::bigint end
  and not exists (select 1 from "user" where "user".id = session.user_id and "user".bot))`

const LAPSED_ROWS = 1_000

/** Deletes sessions that were not used since these times, ms, in small statements. Returns how many. */
export async function deleteLapsed(db: Db, usedAfter: UsedAfter): Promise<number> {
  for (let all = 0; ; ) {
    const { numDeletedRows } = await db
      .deleteFrom('session')
      .where('id', 'in', (eb) =>
        eb.selectFrom('session').select('id').where(lapsed(usedAfter)).limit(LAPSED_ROWS),
      )
      .executeTakeFirst()
    all += Number(numDeletedRows)
    if (Number(numDeletedRows) < LAPSED_ROWS) return all
  }
}

/** Deletes codes that expired and sessions that were revoked before `before`, ms. */
export async function deleteOld(db: Db, before: number): Promise<void> {
  await db.deleteFrom('phone_code').where('expires_at', '<', int8(before)).execute()
  await db.deleteFrom('session').where('revoked_at', '<', int8(before)).execute()
}
