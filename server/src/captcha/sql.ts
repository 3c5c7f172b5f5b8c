/** The SQL of captchas. */
import { int8 } from '../kit/database/columns.ts'
import type { Db } from '../kit/database/db.ts'

/** Uses up an id; false when it was used before, on whichever node. */
export async function useOnce(db: Db, id: string, expiresAt: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('captcha_used')
    .values({ id, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows) > 0
}

/** Forgets ids that would be refused as too old. */
export async function deleteExpired(db: Db, before: number): Promise<void> {
  await db.deleteFrom('captcha_used').where('expires_at', '<', int8(before)).execute()
}
