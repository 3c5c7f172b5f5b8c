/**
 * The staff log: who looked at what and did what. Its rows are only added: the database refuses to change
 * them.
 */
import type { UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { LOG_PAGE, type listStaffLog, STAFF_LOG_KINDS, type StaffLogRow } from '@guildhall/wire/staff/log.ts'
import type { Db } from '../kit/database/db.ts'
import { identitiesOf, maskedAddress, maskedMobile } from '../user/user.ts'
import * as rows from './sql.ts'

export type { StaffLogEntry } from './sql.ts'

const PREFIX = '/api/v3/staff/'
const WORDS_MAX = 200
const SECRET = /password|second_factor|secret|token/
/** Fields of an input that say whom or what a call is about. */
const TARGETS = [
  'guild_id',
  'channel_id',
  'chat_code',
  'order_id',
  'msg_id',
  'product_id',
  'batch_id',
  'grant_id',
  'code',
  'url',
  'id',
]

/** What is written of a call's input: nothing secret, numbers masked, long texts cut. */
export function loggedInput(input: unknown): Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return {}
  return Object.fromEntries(
    Object.entries(input)
      .filter(([field, value]) => value !== undefined && !SECRET.test(field))
      .map(([field, value]) => [field, loggedValue(field, value)]),
  )
}

function loggedValue(field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  // Searches take a number in any field.
  if (/^\S+@\S+$/.test(value)) return maskedAddress(value)
  if (field === 'mobile' || /^[+\d][\d\s-]{6,}$/.test(value))
    return isIdField(field) ? value : maskedMobile(value)
  return value.slice(0, WORDS_MAX)
}

const isIdField = (field: string): boolean => field === 'id' || field.endsWith('_id') || field === 'before'

/** The row of a call, before it runs. */
export function callEntry(
  caller: { readonly userId: UserId; readonly sessionId: string },
  input: { readonly path: string; readonly network: string; readonly input: unknown },
): rows.StaffLogEntry {
  const detail = loggedInput(input.input)
  const concerned = detail.user_id
  return {
    actor: caller.userId,
    sessionId: caller.sessionId,
    network: input.network,
    kind: 'call',
    detail,
    name: input.path.startsWith(PREFIX) ? input.path.slice(PREFIX.length) : input.path,
    userId: typeof concerned === 'string' ? (concerned as UserId) : null,
    target: TARGETS.flatMap((field) => (detail[field] === undefined ? [] : [String(detail[field])])).join(
      ' ',
    ),
  }
}

/** Adds a row, in the transaction of the act itself. */
export const recordStaff = rows.addToLog

/** A page of the log, the newest first. */
export async function readLog(
  db: Db,
  input: InputOf<typeof listStaffLog>,
): Promise<AnswerOf<typeof listStaffLog>> {
  const { before, actor, user_id: userId, kind, name } = input
  const found = await rows.logRows(db, { before, actor, userId, kind, name, limit: LOG_PAGE + 1 })
  return { items: await logItems(db, found.slice(0, LOG_PAGE)), has_more: found.length > LOG_PAGE }
}

/** What staff did about somebody, or about a message or guild, the newest first. */
export const actsOn = async (db: Db, input: Parameters<typeof rows.actsOn>[1]): Promise<StaffLogRow[]> =>
  logItems(db, await rows.actsOn(db, input))

async function logItems(db: Db, page: Awaited<ReturnType<typeof rows.logRows>>): Promise<StaffLogRow[]> {
  const people = await identitiesOf(
    db,
    page.flatMap((row) => [
      ...(/^\d+$/.test(row.actor) ? [row.actor as UserId] : []),
      ...(row.user_id === null ? [] : [row.user_id as UserId]),
    ]),
  )
  return page.map(
    (row): StaffLogRow => ({
      id: row.id,
      at: row.at,
      actor: row.actor,
      place: row.place,
      name: row.name,
      target: row.target,
      actor_name: people.get(row.actor as UserId)?.username ?? '',
      kind: STAFF_LOG_KINDS.find((each) => each === row.kind) ?? 'call',
      user_id: row.user_id ?? '',
      user_name: people.get(row.user_id as UserId)?.username ?? '',
      detail: row.detail as Record<string, unknown>,
    }),
  )
}
