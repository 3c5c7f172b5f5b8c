/** Accounts at third parties, what was used up of their logins, and what providers grant. */
import type { ThirdPartyName } from '@guildhall/wire/auth/thirdParty.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import { asNumber, int8 } from '../../kit/database/columns.ts'
import type { Db, Tx } from '../../kit/database/db.ts'
import type { Identity } from '../../outside/login/thirdParty.ts'

/** The user of an account; null: nobody's. Where the provider tells a unionid, that decides. */
export async function userOf(
  db: Db,
  provider: ThirdPartyName,
  { openid, unionid }: Identity,
): Promise<UserId | null> {
  const found = await db
    .selectFrom('third_party')
    .select(['user_id', 'unionid'])
    .where('provider', '=', provider)
    .where((eb) =>
      eb.or([eb('openid', '=', openid), ...(unionid === null ? [] : [eb('unionid', '=', unionid)])]),
    )
    .execute()
  const row = found.find((each) => each.unionid !== null && each.unionid === unionid) ?? found[0]
  return row?.user_id ?? null
}

/** Stores the unionid of an account that had none. */
export async function noteUnionid(
  db: Db,
  provider: ThirdPartyName,
  { openid, unionid }: Identity,
): Promise<void> {
  if (unionid === null) return
  await sql`
    update third_party set unionid = ${unionid}
    where provider = ${provider} and openid = ${openid} and unionid is null
      and not exists (select 1 from third_party it where it.provider = ${provider} and it.unionid = ${unionid})`.execute(
    db,
  )
}

/** Whether the user has an account of this provider. */
export async function hasAccount(db: Db, provider: ThirdPartyName, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('third_party')
    .select('user_id')
    .where('provider', '=', provider)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** A person's accounts at providers. */
export const thirdPartiesOf = (
  db: Db,
  userId: UserId,
): Promise<{ readonly provider: ThirdPartyName; readonly openid: string; readonly created_at: number }[]> =>
  db
    .selectFrom('third_party')
    .select((eb) => eb.ref('provider').$castTo<ThirdPartyName>().as('provider'))
    .select('openid')
    .select((eb) => asNumber(eb, 'created_at').as('created_at'))
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute()

/** False when the account is somebody's, or the user has another one of the provider. */
export async function add(
  tx: Tx,
  input: Identity & { readonly provider: ThirdPartyName; readonly userId: UserId; readonly now: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('third_party')
    .values({
      provider: input.provider,
      openid: input.openid,
      unionid: input.unionid,
      user_id: input.userId,
      created_at: input.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** False when the user has none of the provider. */
export async function remove(tx: Tx, provider: ThirdPartyName, userId: UserId): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('third_party')
    .where('provider', '=', provider)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Uses up an id; false when it was used before, on whichever node. */
export async function useOnce(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('third_party_used')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Forgets ids that would be refused as too old. */
export async function deleteUsed(db: Db, before: number): Promise<void> {
  await db.deleteFrom('third_party_used').where('expires_at', '<', int8(before)).execute()
}

export interface GrantRow {
  readonly value: string
  /** ms; 0: there is none yet. */
  readonly expires_at: number
}

export async function readGrant(db: Db, name: string): Promise<GrantRow> {
  const row = await db
    .selectFrom('provider_grant')
    .select(['value'])
    .select((eb) => asNumber(eb, 'expires_at').as('expires_at'))
    .where('name', '=', name)
    .executeTakeFirst()
  return row ?? { value: '', expires_at: 0 }
}

/**
 * Takes the right to renew a grant that ends before `endsBefore`; false when it need not be, or another node
 * does. Times in ms.
 */
export async function leaseGrant(
  db: Db,
  name: string,
  input: { readonly now: number; readonly endsBefore: number; readonly until: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into provider_grant as it (name, renewing_until) values (${name}, ${input.until})
    on conflict (name) do update set renewing_until = excluded.renewing_until
    where it.expires_at < ${input.endsBefore}::bigint and it.renewing_until <= ${input.now}::bigint
    returning 1`.execute(db)
  return rows.length > 0
}

/** Stores a grant and ends the lease; null: it was not renewed. */
export async function storeGrant(db: Db, name: string, grant: GrantRow | null): Promise<void> {
  await db
    .updateTable('provider_grant')
    .set({ renewing_until: 0, ...(grant && { value: grant.value, expires_at: grant.expires_at }) })
    .where('name', '=', name)
    .execute()
}
