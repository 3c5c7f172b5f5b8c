/** Invites. */
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db } from '../kit/db.ts'

export interface InviteRow {
  readonly code: string
  readonly guild_id: GuildId
  readonly channel_id: ChannelId | null
  readonly user_id: UserId
  /** ms; null when it does not expire. */
  readonly expires_at: number | null
  /** Null: as often as people like. */
  readonly uses_max: number | null
  readonly uses: number
}

const columns = sql`code, guild_id, channel_id, user_id, expires_at::float8 as expires_at, uses_max, uses`

export async function byCode(db: Db, code: string): Promise<InviteRow | null> {
  const { rows } = await sql<InviteRow>`
    select ${columns} from invite where code = ${code} and deleted_at is null`.execute(db)
  return rows[0] ?? null
}

/** The same, kept from everybody else until the transaction ends. */
export async function lock(db: Db, code: string): Promise<InviteRow | null> {
  const { rows } = await sql<InviteRow>`
    select ${columns} from invite where code = ${code} and deleted_at is null for update`.execute(db)
  return rows[0] ?? null
}

export async function spendUse(db: Db, code: string): Promise<void> {
  await sql`update invite set uses = uses + 1 where code = ${code}`.execute(db)
}

/** False when the code is taken. */
export async function add(
  db: Db,
  it: {
    readonly code: string
    readonly guildId: string
    readonly channelId: string | null
    readonly userId: string
    readonly expiresAt: number | null
    readonly usesMax: number | null
    readonly now: number
  },
): Promise<boolean> {
  const { rows } = await sql`
    insert into invite (code, guild_id, channel_id, user_id, created_at, expires_at, uses_max)
    values (${it.code}, ${it.guildId}, ${it.channelId}, ${it.userId}, ${it.now}, ${it.expiresAt}, ${it.usesMax})
    on conflict do nothing returning 1`.execute(db)
  return rows.length > 0
}
