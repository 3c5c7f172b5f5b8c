/** People: their accounts, and how they are shown to themselves and to others. */
import type { UserId } from '@guildhall/wire/id.ts'
import { STAFF_RIGHTS, type StaffRight } from '@guildhall/wire/route.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { Author, Self, User } from '@guildhall/wire/user/user.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { Live } from '../kit/events.ts'
import { ids } from '../kit/ids.ts'
import * as rows from './sql.ts'
import { botTag } from './text.ts'

export { FACE_COLUMNS, type Face, faceColumns, type UserRow } from './sql.ts'

/** `status` of a banned person. protocol.md §5.1. */
export const BANNED = 10
/** Random digits for one name are tried this often before one more digit is spent. */
const TRIES = 8

/** Who is online, as `Live` knows it. */
type Online = Pick<Live, 'presence'>

/** A person as everybody sees them: the only place that fills `online`. protocol.md §5.1. */
export function faceOf(row: rows.Face, { presence }: Online): User {
  const { id, username, identify_num, avatar, vip_avatar, is_vip, bot, status } = row
  const online = presence.isOnline(id)
  return { id, username, identify_num, avatar, vip_avatar, is_vip, bot, online, status }
}

/** A person as a member of a guild. Who has no nickname there, or has left, goes by the username. protocol.md §5.1. */
export function authorOf(
  row: rows.Face & { readonly nickname: string | null; readonly roles: readonly number[] | null },
  live: Online,
): Author {
  return { ...faceOf(row, live), nickname: row.nickname || row.username, roles: [...(row.roles ?? [])] }
}

/** Oneself, the number masked but for its last four digits. chat.md §3. */
export function selfOf(row: rows.UserRow, live: Online): Self {
  const { mobile, mobile_prefix, mobile_verified } = row
  return { ...faceOf(row, live), mobile: masked(mobile), mobile_prefix, mobile_verified }
}

/** A bot as it reads of itself. protocol.md §4.10. */
export function botSelfOf(row: rows.UserRow, live: Online) {
  return {
    ...publicUser(selfOf(row, live)),
    nickname: row.username,
    roles: [],
    bot_status: 0,
    client_id: row.id,
    verified: true,
    invited_count: 0,
    intent: ALL_INTENTS,
    tag_info: { color: '#0096FF', bg_color: '#0096FF33', text: botTag },
  }
}

/** Bots receive all events. protocol.md §2.3. */
const ALL_INTENTS = -1

const masked = (mobile: string): string => mobile.slice(0, -4).replace(/\d/g, '*') + mobile.slice(-4)

/** The account of an id; null when there is none. */
export const findUser = (db: Db, id: UserId): Promise<rows.UserRow | null> => rows.byId(db, id)

/** The account of a number; null when there is none. */
export const findByMobile = (db: Db, prefix: string, mobile: string): Promise<rows.UserRow | null> =>
  rows.byMobile(db, prefix, mobile)

/** The number was proven to be theirs. */
export const markVerified = (tx: Tx, id: UserId): Promise<void> => rows.setVerified(tx, id)

/** The rights of a staff account; empty for everybody else. */
export async function staffRightsOf(db: Db, id: UserId): Promise<StaffRight[]> {
  const known: ReadonlySet<string> = new Set(STAFF_RIGHTS)
  // A right of an older version that no longer exists allows nothing.
  return (await rows.staffRights(db, id)).filter((right) => known.has(right))
}

/** Replaces the rights of an account; none makes it an ordinary one. */
export const setStaffRights = (tx: Tx, id: UserId, rights: readonly StaffRight[]): Promise<void> =>
  rows.setStaffRights(tx, id, rights)

/** Makes a bot's account. It has no number, and is not asked for one: it counts as verified. protocol.md §9.2. */
export async function registerBot(tx: Tx, name: string): Promise<rows.UserRow> {
  const it = { prefix: '', mobile: '', verified: true, isBot: true, makeName: () => name }
  return (await register(tx, it)).user
}

/**
 * Makes an account. Digits tell it apart from others of the same name; `makeName` is asked again when all tried
 * digits were taken. Answers the account that has the number already, if one does.
 */
export async function register(
  tx: Tx,
  it: {
    readonly prefix: string
    readonly mobile: string
    readonly verified: boolean
    readonly makeName: () => string
    readonly avatar?: string
    readonly isBot?: boolean
  },
): Promise<{ readonly user: rows.UserRow; readonly isNew: boolean }> {
  for (let tries = 0; tries < TRIES * 3; tries++) {
    const added = await rows.add(tx, {
      username: it.makeName(),
      identify_num: ids.digits(4 + Math.floor(tries / TRIES)),
      avatar: it.avatar ?? '',
      bot: it.isBot ?? false,
      mobile_prefix: it.prefix,
      mobile: it.mobile,
      mobile_verified: it.verified,
      created_at: clock.now(),
    })
    if (added) return { user: added, isNew: true }
    const known = it.mobile === '' ? null : await rows.byMobile(tx, it.prefix, it.mobile)
    if (known) return { user: known, isNew: false }
  }
  throw new Error('no free digits were found for a new name')
}
