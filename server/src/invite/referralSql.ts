/** Codes of users, and how accounts came to be. */
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import type { Db, Tx } from '../kit/database/db.ts'

export async function codeOf(db: Db, userId: UserId): Promise<InviteCode | null> {
  const row = await db
    .selectFrom('referral_code')
    .select('code')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (row?.code as InviteCode | undefined) ?? null
}

/** Does nothing when the user has a code, or the code is taken. */
export async function addCode(db: Db, userId: UserId, code: string, now: number): Promise<void> {
  await db
    .insertInto('referral_code')
    .values({ user_id: userId, code, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function ownerOf(db: Db, code: string): Promise<UserId | null> {
  const row = await db
    .selectFrom('referral_code')
    .select('user_id')
    .where('code', '=', code)
    .executeTakeFirst()
  return row?.user_id ?? null
}

/** How many people a user brought by their code. */
export async function countInvited(db: Db, inviterId: UserId): Promise<number> {
  const row = await db
    .selectFrom('referral')
    .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('n'))
    .where('inviter_id', '=', inviterId)
    .where('via', '=', 'user')
    .executeTakeFirst()
  return row?.n ?? 0
}

/** How an account came to be; null when nothing is recorded of it. */
export async function originOf(
  db: Db,
  userId: UserId,
): Promise<{ inviter_id: string | null; via: string; source: number | null } | null> {
  const row = await db
    .selectFrom('referral')
    .select(['inviter_id', 'via', 'source'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row ?? null
}

export interface Credit {
  readonly inviterId: UserId
  readonly via: 'user' | 'guild'
}

/** Records how an account came to be. False when that is recorded already. */
export async function add(
  tx: Tx,
  input: {
    readonly userId: UserId
    readonly credit: Credit | null
    readonly source: number | null
    readonly now: number
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('referral')
    .values({
      user_id: input.userId,
      source: input.source,
      created_at: input.now,
      inviter_id: input.credit?.inviterId ?? null,
      via: input.credit?.via ?? '',
      credited_at: input.credit ? input.now : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Credits the inviter of an account that has none. False when somebody is or was credited for it. */
export async function credit(tx: Tx, userId: UserId, input: Credit, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('referral')
    .set({ inviter_id: input.inviterId, via: input.via, credited_at: now })
    .where('user_id', '=', userId)
    .where('credited_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/** Whether somebody is or was credited for an account. */
export async function isCredited(db: Db, userId: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('referral')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('credited_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the code of an account that is deleted; those it brought have no inviter any more. */
export async function forget(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('referral_code').where('user_id', '=', userId).execute()
  await tx.updateTable('referral').set({ inviter_id: null }).where('inviter_id', '=', userId).execute()
  await tx.updateTable('referral').set({ source: null }).where('user_id', '=', userId).execute()
}
