/** Codes, password hashes and sessions. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { type Db, keptPlan } from '../kit/db.ts'

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
 * Keeps a code for a number unless one was sent after `notAfter`, ms. Answers null when it was kept, else when the
 * last one was sent.
 */
export async function keepCode(
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
  const kept = await sql`
    insert into phone_code as it (mobile_prefix, mobile, code_hash, type, sent_at, expires_at)
    values (${it.prefix}, ${it.mobile}, ${it.hash}, ${it.type}, ${it.now}, ${it.expires})
    on conflict (mobile_prefix, mobile) do update set
      code_hash = excluded.code_hash, type = excluded.type, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, tries = 0, used_at = null
    where it.sent_at <= ${it.notAfter}
    returning 1`.execute(db)
  if (kept.rows.length > 0) return null
  const { rows } = await sql<{ sent_at: number }>`
    select sent_at::float8 as sent_at from phone_code
    where mobile_prefix = ${it.prefix} and mobile = ${it.mobile}`.execute(db)
  return rows[0]?.sent_at ?? it.now
}

/** The code was never delivered: nobody has to wait for it. */
export async function dropCode(db: Db, prefix: string, mobile: string, hash: Buffer): Promise<void> {
  await sql`
    delete from phone_code
    where mobile_prefix = ${prefix} and mobile = ${mobile} and code_hash = ${hash}`.execute(db)
}

/**
 * One try at the live code of a number, counted and, when right, used up in the same statement: of two tries at once
 * only one can win. `none`: no code lives.
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

export async function passwordHash(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash from credential where user_id = ${userId}`.execute(db)
  return rows[0]?.password_hash ?? null
}

export async function setPasswordHash(db: Db, userId: string, hash: string, now: number): Promise<void> {
  await sql`
    insert into credential (user_id, password_hash, changed_at) values (${userId}, ${hash}, ${now})
    on conflict (user_id) do update
    set password_hash = excluded.password_hash, changed_at = excluded.changed_at`.execute(db)
}

export async function addSession(
  db: Db,
  it: {
    readonly id: string
    readonly hash: Buffer
    readonly userId: string
    readonly remember: boolean
    readonly now: number
  },
): Promise<void> {
  await sql`
    insert into session (id, token_hash, user_id, remember, created_at, seen_at)
    values (${it.id}, ${it.hash}, ${it.userId}, ${it.remember}, ${it.now}, ${it.now})`.execute(db)
}

const live = sql`
  select session.id, session.user_id, session.remember, session.seen_at::float8 as seen_at, "user".status,
    "user".bot
  from session join "user" on "user".id = session.user_id
  where session.revoked_at is null`

/** The sessions of some tokens, one answer per hash, in order. */
export async function sessionsByToken(db: Db, hashes: readonly Buffer[]): Promise<(SessionRow | null)[]> {
  const { rows } = await sql<SessionRow & { readonly place: number }>`${keptPlan}
    select asked.place::int as place, session.id, session.user_id, session.remember,
      session.seen_at::float8 as seen_at, "user".status, "user".bot
    from unnest(${hashes}::bytea[]) with ordinality as asked(hash, place)
    join session on session.token_hash = asked.hash and session.revoked_at is null
    join "user" on "user".id = session.user_id`.execute(db)
  const answers = hashes.map((): SessionRow | null => null)
  for (const { place, ...row } of rows) answers[place - 1] = row
  return answers
}

/** Those of some sessions that were not revoked; in no order. */
export async function sessionsById(db: Db, ids: readonly string[]): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`${live} and session.id = any(${ids}::uuid[])`.execute(db)
  return rows
}

export async function sessionById(db: Db, id: string): Promise<SessionRow | null> {
  const { rows } = await sql<SessionRow>`${live} and session.id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function sawSession(db: Db, id: string, now: number): Promise<void> {
  await sql`update session set seen_at = ${now} where id = ${id} and seen_at < ${now}`.execute(db)
}

export async function revokeSession(db: Db, id: string, now: number): Promise<void> {
  await sql`update session set revoked_at = ${now} where id = ${id} and revoked_at is null`.execute(db)
}

/** Ends all sessions of somebody; answers their ids. */
export async function revokeSessionsOf(db: Db, userId: string, now: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update session set revoked_at = ${now} where user_id = ${userId} and revoked_at is null
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Removes codes nobody can use and sessions long over. */
export async function forgetOld(db: Db, before: number): Promise<void> {
  await sql`delete from phone_code where expires_at < ${before}`.execute(db)
  await sql`delete from session where revoked_at < ${before}`.execute(db)
}
