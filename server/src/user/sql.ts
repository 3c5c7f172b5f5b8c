/** Accounts. */
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffRight } from '@guildhall/wire/route.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'

/** A row of `user` in the wire's spelling. `status` 10: banned. */
export interface UserRow {
  readonly id: UserId
  readonly username: string
  readonly identify_num: string
  readonly avatar: string
  readonly vip_avatar: string
  readonly is_vip: boolean
  readonly bot: boolean
  readonly status: number
  readonly mobile_prefix: string
  readonly mobile: string
  readonly mobile_verified: boolean
}

const columns = sql`id, username, identify_num, avatar, vip_avatar, is_vip, bot, status, mobile_prefix, mobile,
  mobile_verified`

export async function byId(db: Db, id: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`select ${columns} from "user" where id = ${id}`.execute(db)
  return rows[0] ?? null
}

export async function byMobile(db: Db, prefix: string, mobile: string): Promise<UserRow | null> {
  const { rows } = await sql<UserRow>`
    select ${columns} from "user" where mobile_prefix = ${prefix} and mobile = ${mobile}`.execute(db)
  return rows[0] ?? null
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
  const { rows } = await sql<UserRow>`
    insert into "user" (username, identify_num, avatar, bot, mobile_prefix, mobile, mobile_verified, created_at)
    values (${it.username}, ${it.identify_num}, ${it.avatar}, ${it.bot}, ${it.mobile_prefix}, ${it.mobile},
            ${it.mobile_verified}, ${it.created_at})
    on conflict do nothing returning ${columns}`.execute(db)
  return rows[0] ?? null
}

export async function setVerified(db: Db, id: string): Promise<void> {
  await sql`update "user" set mobile_verified = true where id = ${id} and not mobile_verified`.execute(db)
}

/** The rights of a staff account; empty for everybody else. */
export async function staffRights(db: Db, id: string): Promise<StaffRight[]> {
  const { rows } = await sql<{ rights: StaffRight[] }>`
    select staff_rights as rights from "user" where id = ${id}`.execute(db)
  return rows[0]?.rights ?? []
}

export async function setStaffRights(db: Db, id: string, rights: readonly StaffRight[]): Promise<void> {
  await sql`update "user" set staff_rights = ${[...rights]}::text[] where id = ${id}`.execute(db)
}
