/** Invites. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { asNumber } from '../kit/columns.ts'
import type { Db, Tx } from '../kit/db.ts'

export interface InviteRow {
  readonly code: string
  readonly guild_id: GuildId
  readonly channel_id: ChannelId | null
  readonly user_id: UserId
  /** ms; null when it does not expire. */
  readonly expires_at: number | null
  /** Null: without limit. */
  readonly uses_max: number | null
  readonly uses: number
}

const query = (db: Db, code: string) =>
  db
    .selectFrom('invite')
    .select(['code', 'guild_id', 'channel_id', 'user_id', 'uses_max', 'uses'])
    .select((eb) => asNumber(eb, 'expires_at').as('expires_at'))
    .where('code', '=', code)
    .where('deleted_at', 'is', null)

export async function byCode(db: Db, code: string): Promise<InviteRow | null> {
  return (await query(db, code).executeTakeFirst()) ?? null
}

/** The same, locked until the transaction ends. */
export async function lock(tx: Tx, code: string): Promise<InviteRow | null> {
  return (await query(tx, code).forUpdate().executeTakeFirst()) ?? null
}

export async function spendUse(tx: Tx, code: string): Promise<void> {
  await tx
    .updateTable('invite')
    .set((eb) => ({ uses: eb('uses', '+', 1) }))
    .where('code', '=', code)
    .execute()
}

/** Ends an invite; returns its guild, null when there is none. */
export async function revoke(tx: Tx, code: string, now: number): Promise<GuildId | null> {
  const row = await tx
    .updateTable('invite')
    .set({ deleted_at: now })
    .where('code', '=', code)
    .where('deleted_at', 'is', null)
    .returning('guild_id')
    .executeTakeFirst()
  return row?.guild_id ?? null
}

/** False when the code is taken. */
export async function add(
  db: Db,
  it: {
    readonly code: string
    readonly guildId: GuildId
    readonly channelId: ChannelId | null
    readonly userId: UserId
    readonly expiresAt: number | null
    readonly usesMax: number | null
    readonly now: number
  },
): Promise<boolean> {
  const added = await db
    .insertInto('invite')
    .values({
      code: it.code,
      guild_id: it.guildId,
      channel_id: it.channelId,
      user_id: it.userId,
      created_at: it.now,
      expires_at: it.expiresAt,
      uses_max: it.usesMax,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst()
  return added !== undefined
}
