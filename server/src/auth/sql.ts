/** Codes, password hashes and sessions. */
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, int8 } from '../kit/database/columns.ts'
import { type Db, preparedStatement, type Tx } from '../kit/database/db.ts'

export interface SessionRow {
  readonly id: string
  readonly user_id: UserId
  readonly remember: boolean
  /** ms */
  readonly seen_at: number
  readonly status: number
  readonly suspended_until: string | null
  readonly bot: boolean
  /** It opens the staff console and nothing else. */
  readonly is_console: boolean
}

/** What a session's owner recognises it by. */
export interface DeviceNames {
  readonly os: string
  readonly app: string
  /** Where it logged in, in part. */
  readonly network: string
}

/** A code of a number, named by who asked for it. */
interface CodeKey {
  readonly prefix: string
  readonly mobile: string
  /** Hash of the network that asked. */
  readonly asker: Buffer
  readonly hash: Buffer
}

/** Stores a code; it replaces an earlier one that was asked for from the same network. Times in ms. */
export async function storeCode(
  db: Db,
  input: CodeKey & { readonly type: string; readonly now: number; readonly expires: number },
): Promise<void> {
  await sql`
    insert into login_code (mobile_prefix, mobile, asker, code_hash, type, sent_at, expires_at)
    values (${input.prefix}, ${input.mobile}, ${input.asker}, ${input.hash}, ${input.type}, ${input.now}, ${input.expires})
    on conflict (mobile_prefix, mobile, asker) do update set
      code_hash = excluded.code_hash, type = excluded.type, sent_at = excluded.sent_at,
      expires_at = excluded.expires_at, strange_tries = 0, used_at = null`.execute(db)
}

/** Deletes a code that was never delivered. */
export async function deleteCode(db: Db, input: CodeKey): Promise<void> {
  await db
    .deleteFrom('login_code')
    .where('mobile_prefix', '=', input.prefix)
    .where('mobile', '=', input.mobile)
    .where('asker', '=', input.asker)
    .where('code_hash', '=', input.hash)
    .execute()
}

/**
 * One try at the valid codes of a number, counted and, when right, used up in the same statement: of two
 * concurrent tries only one can win. A code that another network asked for allows `strangeMost` wrong tries;
 * the tries of the network that asked are counted by the caller. Only codes of these types are tried. `none`:
 * there is no valid code to try. Rows are locked in one order, so that two tries cannot wait for each other.
 */
export async function tryCode(
  db: Db,
  input: CodeKey & { readonly types: readonly string[]; readonly now: number; readonly strangeMost: number },
): Promise<'right' | 'wrong' | 'none'> {
  const { rows } = await sql<{ right: boolean }>`
    with live as materialized (
      select asker from login_code
      where mobile_prefix = ${input.prefix} and mobile = ${input.mobile} and used_at is null and expires_at > ${input.now}
        and type = any(${input.types}::text[]) and (asker = ${input.asker} or strange_tries < ${input.strangeMost})
      order by asker for update
    )
    update login_code as it set
      used_at = case when it.code_hash = ${input.hash} then ${input.now}::bigint end,
      strange_tries = it.strange_tries + (it.asker <> ${input.asker} and it.code_hash <> ${input.hash})::int
    from live
    where it.mobile_prefix = ${input.prefix} and it.mobile = ${input.mobile} and it.asker = live.asker
    returning it.used_at is not null as right`.execute(db)
  if (rows.length === 0) return 'none'
  return rows.some(({ right }) => right) ? 'right' : 'wrong'
}

/** Makes a code valid again that was used since a time, ms. */
export async function giveBackCode(
  db: Db,
  input: Pick<CodeKey, 'prefix' | 'mobile' | 'hash'> & { readonly usedSince: number },
): Promise<void> {
  await db
    .updateTable('login_code')
    .set({ used_at: null })
    .where('mobile_prefix', '=', input.prefix)
    .where('mobile', '=', input.mobile)
    .where('code_hash', '=', input.hash)
    .where('used_at', '>=', int8(input.usedSince))
    .execute()
}

/** Whether a person has a session that began at this network. */
export async function isKnownNetwork(db: Db, userId: UserId, networkHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select 1 from session where user_id = ${userId} and place_hash = ${networkHash} limit 1`.execute(db)
  return rows.length > 0
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
  input: {
    readonly id: string
    readonly hash: Buffer
    readonly userId: UserId
    readonly remember: boolean
    readonly now: number
    /** Hash of the network that logged in; absent for bots. */
    readonly networkHash?: Buffer
    /** Absent for bots. */
    readonly device?: DeviceNames
  },
): Promise<void> {
  await db
    .insertInto('session')
    .values({
      id: input.id,
      token_hash: input.hash,
      user_id: input.userId,
      remember: input.remember,
      created_at: input.now,
      seen_at: input.now,
      place_hash: input.networkHash ?? null,
      device_os: input.device?.os ?? null,
      device_app: input.device?.app ?? null,
      network: input.device?.network ?? null,
    })
    .execute()
}

const liveSessions = (db: Db) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['session.id', 'session.user_id', 'session.remember', 'session.is_console'])
    .select(['user.status', 'user.suspended_until', 'user.bot'])
    .select((eb) => asNumber(eb, 'session.seen_at').as('seen_at'))
    .where('session.revoked_at', 'is', null)
    .where('user.deleted_at', 'is', null)

/** The sessions of some tokens: one result per hash, in order. */
export async function sessionsByToken(db: Db, hashes: readonly Buffer[]): Promise<(SessionRow | null)[]> {
  const { rows } = await sql<SessionRow & { readonly ordinal: number }>`${preparedStatement}
    select asked.ordinal::int as ordinal, session.id, session.user_id, session.remember, session.is_console,
      session.seen_at::float8 as seen_at, "user".status, "user".suspended_until, "user".bot
    from unnest(${hashes}::bytea[]) with ordinality as asked(hash, ordinal)
    join session on session.token_hash = asked.hash and session.revoked_at is null
    join "user" on "user".id = session.user_id and "user".deleted_at is null`.execute(db)
  const answers = hashes.map((): SessionRow | null => null)
  for (const { ordinal, ...row } of rows) answers[ordinal - 1] = row
  return answers
}

/** From now on the session opens the staff console alone. */
export async function setConsole(db: Db, id: string): Promise<void> {
  await db.updateTable('session').set({ is_console: true }).where('id', '=', id).execute()
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

/** Revokes one session of a person; whether it was not revoked before. */
export async function revokeOwnSession(db: Db, userId: UserId, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Revokes all sessions of a person but the one that is kept; returns their ids. */
export async function revokeSessionsOf(
  db: Db,
  userId: UserId,
  now: number,
  keptId: string | null,
): Promise<string[]> {
  const rows = await db
    .updateTable('session')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .$if(keptId !== null, (query) => query.where('id', '<>', keptId!))
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sessions last used before these times, ms, have lapsed. */
export interface UsedAfter {
  readonly remembered: number
  readonly forgotten: number
}

/** The valid sessions of a person, the one used last first. */
export const devicesOf = (db: Db, userId: UserId, usedAfter: UsedAfter, most: number) =>
  db
    .selectFrom('session')
    .select(['id', 'device_os', 'device_app', 'network'])
    .select((eb) => [asNumber(eb, 'created_at').as('created_at'), asNumber(eb, 'seen_at').as('seen_at')])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`not ${lapsed(usedAfter)}`)
    .orderBy('session.seen_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute()

/**
 * Each session of a person that is not revoked: when it began and was last used, ms, and what its owner knows
 * it by.
 */
export const sessionFacts = (db: Db, userId: UserId) =>
  db
    .selectFrom('session')
    .select((eb) => [
      asNumber(eb, 'created_at').as('created_at'),
      asNumber(eb, 'seen_at').as('seen_at'),
      eb.fn.coalesce('device_os', sql<string>`''`).as('os'),
      eb.fn.coalesce('device_app', sql<string>`''`).as('app'),
      eb.fn.coalesce('network', sql<string>`''`).as('network'),
    ])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .orderBy('session.created_at')
    .execute()

/** The system that a session was logged in from; empty: not known. */
export async function systemOfSession(db: Db, id: string): Promise<string> {
  const row = await db.selectFrom('session').select('device_os').where('id', '=', id).executeTakeFirst()
  return row?.device_os ?? ''
}

export async function deletePassword(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('credential').where('user_id', '=', userId).execute()
}

/**
 * Deletes the sessions, the password, the second factor, the code and the third-party accounts of an account,
 * and the counts of attempts at its number or name.
 */
export async function erase(
  tx: Tx,
  input: {
    readonly userId: UserId
    readonly prefix: string
    readonly mobile: string
    readonly keys: readonly string[]
  },
): Promise<void> {
  for (const key of input.keys)
    await sql`delete from attempt where key = ${key} or starts_with(key, ${key} || ' ')`.execute(tx)
  await tx.deleteFrom('session').where('user_id', '=', input.userId).execute()
  await tx.deleteFrom('third_party').where('user_id', '=', input.userId).execute()
  await tx.deleteFrom('second_factor').where('user_id', '=', input.userId).execute()
  await deletePassword(tx, input.userId)
  if (input.mobile === '') return
  for (const table of ['login_code', 'phone_code'] as const)
    await tx
      .deleteFrom(table)
      .where('mobile_prefix', '=', input.prefix)
      .where('mobile', '=', input.mobile)
      .execute()
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
  await db.deleteFrom('login_code').where('expires_at', '<', int8(before)).execute()
  await db.deleteFrom('session').where('revoked_at', '<', int8(before)).execute()
}
