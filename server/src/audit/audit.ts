/**
 * The audit log of guilds: every act of members, bots, staff and operator that manages one. Each rule writes
 * down its own, in its transaction. Decision 114.
 */
import type { AuditValues, listAudit } from '@guildhall/wire/audit/audit.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { AUDIT_KEPT_MS } from '../kit/retention.ts'
import type { AuditAct } from './act.ts'
import * as rows from './sql.ts'

export { type AuditActor, type AuditTarget, BY_OPERATOR, memberTarget } from './act.ts'

/** Writes an act down in its transaction, by one statement. */
export const writeAudit = (tx: Tx, act: AuditAct): Promise<void> => rows.add(tx, act, clock.now())

/**
 * The fields of a change that differ, before and after; null: none does. Fields whose value is undefined are
 * no change.
 */
export function differing<Values extends Readonly<Record<string, unknown>>>(
  before: Values,
  change: { readonly [Field in keyof Values]?: Values[Field] | undefined },
): { readonly before: AuditValues; readonly after: AuditValues } | null {
  const names = Object.keys(change).filter(
    (name) => change[name] !== undefined && JSON.stringify(change[name]) !== JSON.stringify(before[name]),
  )
  if (names.length === 0) return null
  const of = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(names.map((name) => [name, values[name] ?? null])) as AuditValues
  return { before: of(before), after: of(change) }
}

/** A page of a guild's log, the newest first. The caller checks the right. */
export async function pageOfAudit(
  db: Db,
  { guild_id, user_id, target_id, type, page, page_size }: InputOf<typeof listAudit>,
): Promise<AnswerOf<typeof listAudit>> {
  const size = Math.min(page_size, LIST_SIZE_MAX)
  const { items, total } = await rows.page(db, {
    guildId: guild_id,
    actorId: user_id ?? null,
    personId: target_id ?? null,
    type: type ?? null,
    limit: size,
    offset: (page - 1) * size,
  })
  return {
    items: items.map(({ actor_kind, actor_id, username, target_kind, target_id, target_name, ...it }) => ({
      ...it,
      // Members learn that staff acted, and not who of them.
      actor: {
        kind: actor_kind,
        id: actor_kind === 'staff' || actor_id === null ? '0' : actor_id,
        username: actor_kind === 'staff' ? '' : username,
      },
      target: { kind: target_kind, id: target_id, name: target_name },
    })),
    meta: { page, page_total: Math.ceil(total / size), page_size: size, total },
    sort: {},
  }
}

/** Deletes what is older than it is kept, in bounded batches. How many. */
export const trimAudit = (db: Db): Promise<number> => rows.trim(db, clock.now() - AUDIT_KEPT_MS)
