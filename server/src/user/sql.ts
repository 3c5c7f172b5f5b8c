/** Accounts, and the columns of a person that everybody sees. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/route.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../kit/db.ts'
import type { UserTable } from '../kit/tables.ts'

/** A row of `user` in the wire's spelling. `status` 10: banned. */
export type UserRow = Readonly<Pick<Selectable<UserTable>, 'id' | (typeof COLUMNS)[number]>>

/** The columns of a person that everybody sees, beside the id. */
const FACE = ['username', 'identify_num', 'avatar', 'vip_avatar', 'is_vip', 'bot', 'status'] as const
const COLUMNS = [...FACE, 'mobile_prefix', 'mobile', 'mobile_verified'] as const

/** The parts of a person that everybody sees, under the names of the columns. */
export type Face = Pick<UserRow, 'id' | (typeof FACE)[number]>

/** The columns of `Face` beside the id, for the query builder, in a query that joins `user`. */
export const FACE_COLUMNS = FACE.map((name) => `user.${name}` as const)

/** The same for a raw statement that joins `"user"`. */
export const faceColumns = sql.raw(FACE.map((name) => `"user".${name}`).join(', '))

export async function byId(db: Db, id: UserId): Promise<UserRow | null> {
  const row = await db
    .selectFrom('user')
    .select(['id', ...COLUMNS])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
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
  it: Pick<UserRow, 'username' | 'identify_num' | 'mobile_prefix' | 'mobile' | 'mobile_verified'> & {
    readonly avatar: string
    readonly bot: boolean
    readonly created_at: number
  },
): Promise<UserRow | null> {
  const row = await db
    .insertInto('user')
    .values(it)
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

/** The rights of a staff account; empty for everybody else. */
export async function staffRights(db: Db, id: UserId): Promise<StaffRight[]> {
  const row = await db.selectFrom('user').select('staff_rights').where('id', '=', id).executeTakeFirst()
  return row?.staff_rights ?? []
}

export async function setStaffRights(db: Db, id: UserId, rights: readonly StaffRight[]): Promise<void> {
  await db
    .updateTable('user')
    .set({ staff_rights: [...rights] })
    .where('id', '=', id)
    .execute()
}
