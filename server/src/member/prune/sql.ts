/** The last removal of silent members of each guild. */
import type { GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../kit/database/db.ts'

export interface PruneRow {
  /** Who asked for it. */
  readonly user_id: UserId
  readonly silent_days: number
  readonly role_ids: readonly RoleId[]
  readonly started_at: number
  /** When it last went on. */
  readonly touched_at: number
  readonly total: number
  readonly removed: number
  readonly ended_at: number | null
}

const columns = sql`user_id, silent_days, role_ids, started_at::float8 as started_at,
  touched_at::float8 as touched_at, total, removed, ended_at::float8 as ended_at`

/** Null: there was none. `isLocked`: nobody else changes it until the commit. */
export async function last(db: Db, guildId: GuildId, isLocked = false): Promise<PruneRow | null> {
  const { rows } = await sql<PruneRow>`
    select ${columns} from guild_prune where guild_id = ${guildId} ${isLocked ? sql`for update` : sql``}`.execute(
    db,
  )
  return rows[0] ?? null
}

/** False, without an effect, while another one runs that went on after `stale`. */
export async function start(
  tx: Tx,
  guildId: GuildId,
  prune: Pick<PruneRow, 'user_id' | 'silent_days' | 'role_ids' | 'started_at' | 'total'>,
  stale: number,
): Promise<boolean> {
  const { user_id, silent_days, role_ids, started_at, total } = prune
  const { numAffectedRows } = await sql`
    insert into guild_prune as it
      (guild_id, user_id, silent_days, role_ids, started_at, touched_at, total, removed, ended_at)
    values (${guildId}, ${user_id}, ${silent_days}, ${[...role_ids]}::int[], ${started_at}, ${started_at},
      ${total}, 0, null)
    on conflict (guild_id) do update set user_id = excluded.user_id, silent_days = excluded.silent_days,
      role_ids = excluded.role_ids, started_at = excluded.started_at, touched_at = excluded.touched_at,
      total = excluded.total, removed = 0, ended_at = null
    where it.ended_at is not null or it.touched_at < ${stale}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

export const count = (tx: Tx, guildId: GuildId, removed: number, now: number): Promise<unknown> =>
  sql`update guild_prune set removed = removed + ${removed}, touched_at = ${now}
    where guild_id = ${guildId}`.execute(tx)

export const end = (tx: Tx, guildId: GuildId, now: number): Promise<unknown> =>
  sql`update guild_prune set ended_at = ${now} where guild_id = ${guildId}`.execute(tx)
