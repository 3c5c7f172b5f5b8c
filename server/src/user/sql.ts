/** Accounts, and the columns of a person that everybody sees. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { type Selectable, sql } from 'kysely'
import { asNumber, int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { UserTable } from '../kit/database/tables.ts'

/** A row of `user` in the wire's spelling. `status` 10: suspended, unless `suspended_until` is over. */
export type UserRow = Readonly<Pick<Selectable<UserTable>, 'id' | (typeof COLUMNS)[number]>>

/** The columns of a person that everybody sees, beside the id. */
const FACE = [
  'username',
  'identify_num',
  'custom_num',
  'avatar',
  'vip_avatar',
  'vip_until',
  'avatar_frame',
  'bot',
  'is_official',
  'status',
  'suspended_until',
] as const
const COLUMNS = [
  ...FACE,
  'suspended_reason',
  'mobile_prefix',
  'mobile',
  'mobile_verified',
  'deleted_at',
] as const

/** The parts of a person that everybody sees, under the names of the columns. */
export type Identity = Pick<UserRow, 'id' | (typeof FACE)[number]>

/** The columns of `Identity` beside the id, for the query builder, in a query that joins `user`. */
export const IDENTITY_COLUMNS = FACE.map((name) => `user.${name}` as const)

/** The same for a raw statement that joins `"user"`. */
export const identityColumns = sql.raw(FACE.map((name) => `"user".${name}`).join(', '))

export async function byId(db: Db, id: UserId): Promise<UserRow | null> {
  const row = await db
    .selectFrom('user')
    .select(['id', ...COLUMNS])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function identities(db: Db, ids: readonly UserId[]): Promise<Identity[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('user')
    .select(['id', ...FACE])
    .where('id', '=', sql<UserId>`any(${ids}::bigint[])`)
    .execute()
}

export async function byMobile(db: Db, prefix: string, mobile: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('user')
    .select(['id', ...COLUMNS])
    .where('mobile_prefix', '=', prefix)
    .where('mobile', '=', mobile)
    .executeTakeFirst()
  return row ?? null
}

/** The new row; null when the number, or the name with its digits, is taken. */
export async function add(
  db: Db,
  input: Pick<UserRow, 'username' | 'identify_num' | 'mobile_prefix' | 'mobile' | 'mobile_verified'> & {
    readonly avatar: string
    readonly bot: boolean
    readonly created_at: number
  },
): Promise<UserRow | null> {
  const row = await db
    .insertInto('user')
    .values(input)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', ...COLUMNS])
    .executeTakeFirst()
  return row ?? null
}

export async function setVerified(db: Db, id: UserId): Promise<void> {
  await db
    .updateTable('user')
    .set({ mobile_verified: true })
    .where('id', '=', id)
    .where((eb) => eb.not('mobile_verified'))
    .execute()
}

/** Gives the account a verified number. The new row; null when another account has the number. */
export async function setMobile(
  tx: Tx,
  id: UserId,
  input: Pick<UserRow, 'mobile_prefix' | 'mobile'>,
): Promise<UserRow | null> {
  const row = await tx
    .updateTable('user')
    .set({ ...input, mobile_verified: true })
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user as other')
            .select('other.id')
            .where('other.mobile_prefix', '=', input.mobile_prefix)
            .where('other.mobile', '=', input.mobile)
            .where('other.id', '<>', id),
        ),
      ),
    )
    .returning(['id', ...COLUMNS])
    .executeTakeFirst()
  return row ?? null
}

/** Keeps others from taking digits of a name until the transaction ends. */
export const lockName = (tx: Tx, username: string): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`digits of ${username}`}, 0))`.execute(tx)

/** Whether somebody of a name has these digits, or chose them once. `but`: not this person. */
export async function isNumberTaken(
  tx: Tx,
  input: { readonly username: string; readonly digits: string; readonly but: UserId | null },
): Promise<boolean> {
  const row = await tx
    .selectFrom('user')
    .select('id')
    .where('username', '=', input.username)
    .where((eb) =>
      eb.or([
        eb('identify_num', '=', input.digits),
        eb.and([eb('custom_num', '=', input.digits), eb('custom_num', '<>', '')]),
      ]),
    )
    .$if(input.but !== null, (query) => query.where('id', '<>', input.but!))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Sets the digits that a person chose; `''`: none. */
export async function setCustomNumber(tx: Tx, id: UserId, custom_num: string): Promise<void> {
  await tx.updateTable('user').set({ custom_num }).where('id', '=', id).execute()
}

/** Gives the account a name. The new row; null when another account has the name with these digits. */
export async function setName(
  tx: Tx,
  id: UserId,
  input: Pick<UserRow, 'username' | 'identify_num' | 'custom_num'>,
): Promise<UserRow | null> {
  const row = await tx
    .updateTable('user')
    .set(input)
    .where('id', '=', id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user as other')
            .select('other.id')
            .where('other.username', '=', input.username)
            .where('other.identify_num', '=', input.identify_num)
            .where('other.id', '<>', id),
        ),
      ),
    )
    .returning(['id', ...COLUMNS])
    .executeTakeFirst()
  return row ?? null
}

export async function setAvatar(
  tx: Tx,
  id: UserId,
  { avatar, moving }: { readonly avatar: string; readonly moving: string },
): Promise<void> {
  await tx.updateTable('user').set({ avatar, vip_avatar: moving }).where('id', '=', id).execute()
}

export async function setFrame(tx: Tx, id: UserId, avatar_frame: string): Promise<void> {
  await tx.updateTable('user').set({ avatar_frame }).where('id', '=', id).execute()
}

export async function setBuffEnd(tx: Tx, id: UserId, until: number): Promise<void> {
  await tx.updateTable('user').set({ vip_until: until }).where('id', '=', id).execute()
}

export async function setFirstAvatar(db: Db, id: UserId, avatar: string): Promise<boolean> {
  const row = await db
    .updateTable('user')
    .set({ avatar })
    .where('id', '=', id)
    .where('avatar', '=', '')
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** People of a name, with these digits, given or chosen, or, with null, any; the oldest first. */
export const byName = (
  db: Db,
  username: string,
  identifyNum: string | null,
  limit: number,
): Promise<UserRow[]> =>
  db
    .selectFrom('user')
    .select(['id', ...COLUMNS])
    .where('username', '=', username)
    .$if(identifyNum !== null, (query) =>
      query.where((eb) =>
        eb.or([eb('identify_num', '=', identifyNum!), eb('custom_num', '=', identifyNum!)]),
      ),
    )
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()

/** When the account was created, ms. */
export async function createdAt(db: Db, id: UserId): Promise<number> {
  const row = await db
    .selectFrom('user')
    .select((eb) => asNumber(eb, 'created_at').as('created_at'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.created_at ?? 0
}

/** The row, locked until the transaction ends; null when there is none. */
export async function lock(tx: Tx, id: UserId): Promise<UserRow | null> {
  const row = await tx
    .selectFrom('user')
    .select(['id', ...COLUMNS])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

export async function setSuspension(
  tx: Tx,
  id: UserId,
  input: Pick<UserRow, 'status' | 'suspended_reason'> & { readonly suspended_until: number | null },
): Promise<void> {
  await tx.updateTable('user').set(input).where('id', '=', id).execute()
}

/**
 * People whose suspension is over and stands in their row yet, locked; those that another process has locked
 * are left out.
 */
export async function lockOver(tx: Tx, now: number, limit: number): Promise<UserId[]> {
  const rows = await tx
    .selectFrom('user')
    .select('id')
    .where('status', '=', 10)
    .where('suspended_until', '<=', int8(now))
    .orderBy('suspended_until')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return rows.map(({ id }) => id)
}

/** A person as a search of staff finds them. */
export interface FoundRow extends UserRow, StaffRow {
  /** ms */
  readonly created_at: number
}

/** The person of an id or of a number; null when there is none. */
export async function found(
  db: Db,
  input: { readonly id: UserId } | { readonly prefix: string; readonly mobile: string },
): Promise<FoundRow | null> {
  const query = db
    .selectFrom('user')
    .select(['id', ...COLUMNS, 'staff_role', 'staff_rights'])
    .select((eb) => asNumber(eb, 'created_at').as('created_at'))
  const row = await ('id' in input
    ? query.where('id', '=', input.id)
    : query
        .where('mobile_prefix', '=', input.prefix)
        .where('mobile', '=', input.mobile)
        .where('mobile', '<>', '')
  ).executeTakeFirst()
  return row ?? null
}

/**
 * People whose name begins so, without regard to case, in the order of the index `user_name_start`; those
 * after one of them. With digits: who is called exactly so.
 */
export async function foundByName(
  db: Db,
  input: { readonly name: string; readonly digits: string | null; readonly after: UserId | null },
  limit: number,
): Promise<FoundRow[]> {
  const start = sql`lower(username) collate "C"`
  const { rows } = await sql<FoundRow>`
    select id, ${sql.raw(COLUMNS.join(', '))}, staff_role, staff_rights, created_at::float8 as created_at
    from "user"
    where deleted_at is null and ${
      input.digits === null
        ? sql`${start} >= lower(${input.name}) collate "C" and ${start} < lower(${input.name}) || chr(1114111) collate "C"
          and (${input.after}::bigint is null or (${start}, id) >
            (select lower(username) collate "C", id from "user" where id = ${input.after}::bigint))`
        : sql`username = ${input.name} and ${input.digits} in (identify_num, custom_num)`
    }
    order by ${start}, id limit ${limit}`.execute(db)
  return rows
}

/** Replaces everything that says who somebody was. False when the name with its digits is taken. */
export async function erase(
  tx: Tx,
  id: UserId,
  input: { readonly username: string; readonly identify_num: string; readonly now: number },
): Promise<boolean> {
  const isTaken = await tx
    .selectFrom('user')
    .select('id')
    .where('username', '=', input.username)
    .where('identify_num', '=', input.identify_num)
    .executeTakeFirst()
  if (isTaken) return false
  await tx
    .updateTable('user')
    .set({
      username: input.username,
      identify_num: input.identify_num,
      deleted_at: input.now,
      avatar: '',
      vip_avatar: '',
      vip_until: 0,
      avatar_frame: '',
      custom_num: '',
      staff_rights: [],
      staff_role: '',
      suspended_reason: '',
      mobile_prefix: '',
      mobile: '',
      mobile_verified: false,
    })
    .where('id', '=', id)
    .execute()
  return true
}

/** The role of a staff account, and what was granted beside it. */
export interface StaffRow {
  readonly staff_role: string
  readonly staff_rights: StaffRight[]
}

/** The people with a role or rights of staff, by id. */
export const allStaff = (db: Db): Promise<(Pick<UserRow, 'id' | 'username' | 'identify_num'> & StaffRow)[]> =>
  db
    .selectFrom('user')
    .select(['id', 'username', 'identify_num', 'staff_role', 'staff_rights'])
    .where((eb) => eb.or([eb('staff_rights', '<>', sql<StaffRight[]>`'{}'`), eb('staff_role', '<>', '')]))
    .orderBy('id')
    .execute()

export async function staffOf(db: Db, id: UserId): Promise<StaffRow> {
  const row = await db
    .selectFrom('user')
    .select(['staff_role', 'staff_rights'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? { staff_role: '', staff_rights: [] }
}

export async function setStaffRole(db: Db, id: UserId, role: string): Promise<void> {
  await db.updateTable('user').set({ staff_role: role }).where('id', '=', id).execute()
}

export async function setStaffRights(db: Db, id: UserId, rights: readonly StaffRight[]): Promise<void> {
  await db
    .updateTable('user')
    .set({ staff_rights: [...rights] })
    .where('id', '=', id)
    .execute()
}

/** The official account; null before it was needed. */
export async function officialAccount(db: Db): Promise<UserRow | null> {
  const row = await db
    .selectFrom('house_account')
    .innerJoin('user', 'user.id', 'house_account.user_id')
    .select(['user.id', ...COLUMNS.map((name) => `user.${name}` as const)])
    .executeTakeFirst()
  return row ?? null
}

/** Serialises the creation of the official account, until the transaction ends. */
export async function lockOfficialAccount(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('house account', 0))`.execute(tx)
}

export async function addOfficialAccount(tx: Tx, userId: UserId): Promise<void> {
  await tx.insertInto('house_account').values({ user_id: userId }).execute()
  await tx.updateTable('user').set({ is_official: true }).where('id', '=', userId).execute()
}

/** Accounts of people that were made within a time, ms. */
export async function countRegistered(
  db: Db,
  input: { readonly from: number; readonly to: number },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from "user"
    where created_at >= ${input.from}::bigint and created_at < ${input.to}::bigint and not bot`.execute(db)
  return rows[0]!.n
}

/** When the first account of a person was made, ms; null: there is none. */
export async function firstRegistration(db: Db): Promise<number | null> {
  const { rows } = await sql<{ at: number | null }>`
    select min(created_at)::float8 as at from "user" where not bot`.execute(db)
  return rows[0]!.at
}
