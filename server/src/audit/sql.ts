/** The rows of the audit log. */
import type { ActorKind, AuditEntry, AuditType, TargetKind } from '@guildhall/wire/audit/audit.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/database/db.ts'
import type { AuditAct } from './act.ts'

const json = (values: object | undefined) => (values === undefined ? null : JSON.stringify(values))

export async function add(tx: Tx, act: AuditAct, now: number): Promise<void> {
  const { by, target } = act
  const staff = typeof by === 'object' ? by.staff : null
  const actorId = typeof by === 'object' ? (by.staff === 'operator' ? null : by.staff) : by
  const kind =
    staff === null
      ? sql`(select case when bot then 'bot' else 'member' end from "user" where id = ${actorId})`
      : sql`${staff === 'operator' ? 'operator' : 'staff'}`
  await sql`
    insert into guild_audit
      (guild_id, at, actor_kind, actor_id, type, target_kind, target_id, target_name, person_id, before, after, reason)
    values (${act.guildId}, ${now}, ${kind}, ${actorId}, ${act.type}, ${target.kind}, ${String(target.id)},
      ${target.name ?? ''}, ${target.person ?? null}, ${json(act.before)}, ${json(act.after)}, ${act.reason ?? ''})`.execute(
    tx,
  )
}

interface Row extends Pick<AuditEntry, 'id' | 'at' | 'before' | 'after' | 'reason'> {
  readonly actor_kind: ActorKind
  readonly actor_id: UserId | null
  readonly username: string
  readonly type: AuditType
  readonly target_kind: TargetKind
  readonly target_id: string
  readonly target_name: string
}

/** A page, the newest first, and how many there are. */
export async function page(
  db: Db,
  input: {
    readonly guildId: GuildId
    /** Null: anybody. */
    readonly actorId: UserId | null
    /** To whom it was done; null: to anybody or anything. */
    readonly personId: UserId | null
    readonly type: AuditType | null
    readonly limit: number
    readonly offset: number
  },
): Promise<{ readonly items: Row[]; readonly total: number }> {
  // Who asks for the acts of a member does not learn which of staff they are.
  const ofActor =
    input.actorId === null ? sql`` : sql`and actor_id = ${input.actorId} and actor_kind <> 'staff'`
  const ofPerson = input.personId === null ? sql`` : sql`and person_id = ${input.personId}`
  const ofType = input.type === null ? sql`` : sql`and type = ${input.type}`
  const wanted = sql`guild_id = ${input.guildId} ${ofActor} ${ofPerson} ${ofType}`
  // Names are looked up for one page alone.
  const { rows } = await sql<Row>`
    select it.id, it.at::float8 as at, it.actor_kind, it.actor_id, coalesce(actor.username, '') as username,
      it.type, it.target_kind, it.target_id, it.before, it.after, it.reason,
      case when it.target_name = '' then coalesce(person.username, '') else it.target_name end as target_name
    from (select * from guild_audit where ${wanted} order by id desc
      limit ${input.limit} offset ${input.offset}) it
    left join "user" actor on actor.id = it.actor_id
    left join "user" person on person.id = it.person_id
    order by it.id desc`.execute(db)
  const counted = await sql<{ total: number }>`
    select count(*)::int as total from guild_audit where ${wanted}`.execute(db)
  return { items: rows, total: counted.rows[0]?.total ?? 0 }
}

/** Rows that are deleted by one statement. */
const TRIM_ROWS = 5_000

export async function trim(db: Db, before: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from guild_audit where id in (
      select id from guild_audit where at < ${before} order by at limit ${TRIM_ROWS})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
