/** People: accounts, and the forms in which a person is shown to others and to themselves. */

import { MAIL, NAME } from '@guildhall/wire/auth/address.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { asksProof } from '@guildhall/wire/auth/ways.ts'
import { type Failure, fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { rightsOfStaff, type StaffRole } from '@guildhall/wire/staff/roles.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import type { AvatarFrame } from '@guildhall/wire/user/avatarFrame.ts'
import { drawnPicture } from '@guildhall/wire/user/letter.ts'
import { isChosenNumber, nameProblem } from '@guildhall/wire/user/name.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { Author, User } from '@guildhall/wire/user/shown.ts'
import { DELETED_NAME, type Self } from '@guildhall/wire/user/user.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import * as rows from './sql.ts'
import { userText } from './text.ts'

export { drawnPictureAt } from './drawnPicture.ts'
export { type FoundRow, IDENTITY_COLUMNS, type Identity, identityColumns, type UserRow } from './sql.ts'

/** `status` of a suspended person. protocol.md §5.1. */
const SUSPENDED = 10
/** Attempts with random digits for one name before one more digit is used. */
const TRIES = 8

/** Who is online, as `AppContext` knows it. */
type Online = Pick<AppContext, 'presence' | 'publicUrl' | 'ways'>

/** A person as everybody sees them: the only place that fills `online` and `os`. protocol.md §5.1. */
export function identityOf(row: rows.Identity, appContext: Online): User {
  const { id, username, bot } = row
  const online = appContext.presence.isOnline(id)
  const os = appContext.presence.osOf(id)
  const avatar = pictureOf(row, appContext)
  return {
    id,
    username,
    identify_num: numberOf(row),
    avatar,
    vip_avatar: movingPictureOf(row) || avatar,
    is_vip: hasBuff(row),
    avatar_frame: frameOf(row),
    bot,
    online,
    os,
    status: statusOf(row),
    ...(row.is_official && { is_sys: true, tag_info: tagOf('officialTag', '#0B7A53') }),
  }
}

/** The tag beside a name, with its colour, `#RRGGBB`. */
const tagOf = (text: 'botTag' | 'officialTag', color: string) => ({
  color,
  bg_color: `${color}33`,
  text: userText[defaultLocale][text],
})

type Standing = Pick<rows.Identity, 'status' | 'suspended_until'>

/**
 * Whether a person may not log in now. An end that has come counts, whether or not somebody has written it
 * down.
 */
export const isSuspended = ({ status, suspended_until }: Standing): boolean =>
  status === SUSPENDED && (suspended_until === null || Number(suspended_until) > clock.now())

/** `status` on the wire: 0 for who was suspended until a moment that is over. */
const statusOf = (row: Standing): number => (row.status === SUSPENDED && !isSuspended(row) ? 0 : row.status)

/** A suspension: until when, ms, null: until it is lifted; and why, empty: nobody said. */
export interface Suspension {
  readonly until: Millis | null
  readonly reason: string
}

/** The suspension of a person; null: they may log in. */
export const suspensionOf = (user: Standing & Pick<rows.UserRow, 'suspended_reason'>): Suspension | null =>
  isSuspended(user)
    ? {
        until: user.suspended_until === null ? null : Number(user.suspended_until),
        reason: user.suspended_reason,
      }
    : null

/** Why somebody who is suspended is not let in. */
export const suspendedFailure = (user: Parameters<typeof suspensionOf>[0]): Failure =>
  fail('auth.banned', { until: Number(user.suspended_until ?? 0), reason: user.suspended_reason })

/** Whether a person has BUFF now. */
export const hasBuff = ({ vip_until }: Pick<rows.Identity, 'vip_until'>): boolean =>
  buffEnd({ vip_until }) > clock.now()

/** The address of a person's moving picture while they have BUFF; else empty. commerce.md §9. */
export const movingPictureOf = (row: Pick<rows.Identity, 'vip_avatar' | 'vip_until'>): string =>
  hasBuff(row) ? row.vip_avatar : ''

/** The ring around a person's face while they have BUFF; else empty. */
export const frameOf = (row: Pick<rows.Identity, 'avatar_frame' | 'vip_until'>): string =>
  hasBuff(row) ? row.avatar_frame : ''

/**
 * The digits behind a person's name: those that they chose while they have BUFF, else those that they were
 * given.
 */
export const numberOf = (row: Pick<rows.Identity, 'identify_num' | 'custom_num' | 'vip_until'>): string =>
  row.custom_num !== '' && hasBuff(row) ? row.custom_num : row.identify_num

/** Until when a person has BUFF, ms; 0: they never had it. */
export const buffEnd = ({ vip_until }: Pick<rows.Identity, 'vip_until'>): number => Number(vip_until)

/** Sets until when a person has BUFF, ms. The caller knows why: `buff/buff.ts`. */
export const setBuffEnd = rows.setBuffEnd

/** The address of a person's picture, or of the one that the server draws for people without. */
export const pictureOf = (
  { id, username, avatar }: Pick<rows.Identity, 'id' | 'username' | 'avatar'>,
  { publicUrl }: Pick<AppContext, 'publicUrl'>,
): string => avatar || `${publicUrl}${drawnPicture(id, username)}`

/**
 * A person as a member of a guild. Without a nickname, or after leaving, the username is shown. protocol.md
 * §5.1.
 */
export function authorOf(
  row: rows.Identity & { readonly nickname: string | null; readonly roles: readonly number[] | null },
  appContext: Online,
): Author {
  return {
    ...identityOf(row, appContext),
    nickname: row.nickname || row.username,
    roles: [...(row.roles ?? [])],
  }
}

/** The person's own account; the mobile number is masked except its last four digits. chat.md §3. */
export function selfOf(row: rows.UserRow, appContext: Online): Self {
  return {
    ...identityOf(row, appContext),
    ...maskedContact(row),
    mobile_verified: countsAsVerified(row, appContext),
  }
}

/**
 * Whether somebody has proven a number or an address. By invites alone there is nothing to prove, and
 * everybody counts as verified for as long as that is so.
 */
export const countsAsVerified = (
  { mobile_verified }: Pick<rows.UserRow, 'mobile_verified'>,
  { ways = ['sms'] }: Pick<AppContext, 'ways'>,
): boolean => mobile_verified || !asksProof(ways)

/** A bot's own account. protocol.md §4.10. */
export function botSelfOf(row: rows.UserRow, appContext: Online) {
  return {
    ...publicUser(selfOf(row, appContext)),
    nickname: row.username,
    roles: [],
    bot_status: 0,
    client_id: row.id,
    verified: true,
    invited_count: 0,
    intent: ALL_INTENTS,
    tag_info: tagOf('botTag', '#0096FF'),
  }
}

/** Bots receive all events. protocol.md §2.3. */
const ALL_INTENTS = -1

/** What everybody sees of some people, by id. */
export const identitiesOf = async (
  db: Db,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, rows.Identity>> =>
  new Map((await rows.identities(db, ids)).map((identity) => [identity.id, identity]))

/** The account of an id; null when there is none. */
export const findUser = (db: Db, id: UserId): Promise<rows.UserRow | null> => rows.byId(db, id)

/** The people of a name, `name#1234` or the name alone, the oldest first. Deleted ones have no name. */
export function findByName(db: Db, name: string, limit: number): Promise<rows.UserRow[]> {
  const [, username, digits] = /^(.*)#(\d{4,10})$/.exec(name) ?? [null, name, null]
  return rows.byName(db, username ?? name, digits ?? null, limit)
}

/** Accounts of people that were made within a time, ms. */
export const countRegistered = rows.countRegistered
/** When the first account of a person was made, ms; null: there is none. */
export const firstRegistration = rows.firstRegistration

/** The person of an id or of a number, as staff find them; null when there is none. */
export const findPerson = rows.found

/**
 * The people of `name#1234`, or those whose name begins so: a page of at most `limit`, after one of them.
 * Deleted ones have no name.
 */
export function findPeopleByName(
  db: Db,
  { name, after }: { readonly name: string; readonly after: UserId | null },
  limit: number,
): Promise<rows.FoundRow[]> {
  const [, username, digits = null] = /^(.*)#(\d{4,10})$/.exec(name) ?? []
  return rows.foundByName(db, { name: username ?? name, digits, after }, limit)
}

/** When an account was created, ms. */
export const createdAt = (db: Db, id: UserId): Promise<number> => rows.createdAt(db, id)

/**
 * An account that somebody has, locked until the transaction ends.
 * @throws Failure user.unknown, also for a deleted one
 */
export async function lockUser(tx: Tx, id: UserId): Promise<rows.UserRow> {
  const user = await rows.lock(tx, id)
  if (!user || user.deleted_at !== null) throw fail('user.unknown')
  return user
}

/** Keeps a person from logging in; null allows it again. The caller ends their sessions. */
export const setSuspension = (tx: Tx, id: UserId, input: Suspension | null): Promise<void> =>
  rows.setSuspension(tx, id, {
    status: input ? SUSPENDED : 0,
    suspended_until: input?.until ?? null,
    suspended_reason: input?.reason ?? '',
  })

/**
 * Clears suspensions that are over, in one bounded batch; whose they were. It changes nothing but what the
 * rows say.
 */
export async function clearSuspensions(tx: Tx, limit: number): Promise<UserId[]> {
  const over = await rows.lockOver(tx, clock.now(), limit)
  for (const id of over) await setSuspension(tx, id, null)
  return over
}

/**
 * Removes the name, number, pictures and rights of an account for good. Its row stays for what refers to it.
 */
export async function eraseUser(tx: Tx, id: UserId): Promise<void> {
  const now = clock.now()
  for (let tries = 0; tries < TRIES * 6; tries++) {
    // There will be more deleted people than four digits tell apart.
    const identify_num = ids.digits(6 + Math.floor(tries / TRIES))
    if (await rows.erase(tx, id, { username: DELETED_NAME, identify_num, now })) return
  }
  throw new Error('no free digits were found for a deleted account')
}

/** Everybody with rights of staff. */
export const listStaff = rows.allStaff

/** The mobile number with its last four digits alone. */
export const maskedMobile = (mobile: string): string =>
  mobile.slice(0, -4).replace(/\d/g, '*') + mobile.slice(-4)

/** An address with the first letter and the host alone: `a***@example.com`. */
export const maskedAddress = (address: string): string => address.replace(/^(.).*(?=@)/, '$1***')

/** The fields of the wire for a number, or for the address in its place, in full. */
export const contactOf = ({ mobile_prefix, mobile }: Pick<rows.UserRow, 'mobile_prefix' | 'mobile'>) =>
  mobile_prefix === MAIL ? { mobile_prefix: '', mobile: '', address: mobile } : { mobile_prefix, mobile }

/** The same, masked. */
export function maskedContact(row: Pick<rows.UserRow, 'mobile_prefix' | 'mobile'>) {
  const { mobile_prefix, mobile, address } = { address: undefined, ...contactOf(row) }
  const masked = { mobile: maskedMobile(mobile), mobile_prefix }
  return address === undefined ? masked : { ...masked, address: maskedAddress(address) }
}

/** The account of a number, of an address, or of a name with its digits; null when there is none. */
export async function findByMobile(db: Db, prefix: string, mobile: string): Promise<rows.UserRow | null> {
  if (prefix !== NAME) return rows.byMobile(db, prefix, mobile)
  const found = await findByName(db, mobile, 10)
  return found.find((row) => !row.bot && mobile === `${row.username}#${numberOf(row)}`) ?? null
}

/** Records that the person has proven to own the mobile number. */
export const markVerified = (tx: Tx, id: UserId): Promise<void> => rows.setVerified(tx, id)

/** Gives an account a number that its owner has proven. The account; null when another one has the number. */
export const setMobile = (tx: Tx, id: UserId, { prefix, mobile }: Mobile): Promise<rows.UserRow | null> =>
  rows.setMobile(tx, id, { mobile_prefix: prefix, mobile })

/**
 * Changes a person's name. Their digits stay, given and chosen ones, unless somebody of the new name has
 * them.
 * @throws Failure user.name_required, user.name_wrong, user.unknown
 */
export async function rename(tx: Tx, id: UserId, username: string): Promise<void> {
  requireName(username)
  let { identify_num, custom_num } = await lockUser(tx, id)
  await rows.lockName(tx, username)
  const isTaken = (digits: string) => rows.isNumberTaken(tx, { username, digits, but: id })
  if (custom_num !== '' && (await isTaken(custom_num))) custom_num = ''
  for (let tries = 0; tries < TRIES * 3; tries++) {
    const isFree = !(await isTaken(identify_num))
    if (isFree && (await rows.setName(tx, id, { username, identify_num, custom_num }))) return
    identify_num = ids.digits(4 + Math.floor(tries / TRIES))
  }
  throw new Error('no free digits were found for a new name')
}

/**
 * Sets the digits that a person with BUFF chooses; `''`: those that they were given are shown again.
 * @throws Failure user.number_wrong, user.needs_buff, user.number_taken, user.unknown
 */
export async function chooseNumber(tx: Tx, id: UserId, digits: string): Promise<void> {
  if (digits !== '' && !isChosenNumber(digits)) throw fail('user.number_wrong')
  const user = await lockUser(tx, id)
  if (digits !== '' && !hasBuff(user)) throw fail('user.needs_buff')
  await rows.lockName(tx, user.username)
  const isTaken = await rows.isNumberTaken(tx, { username: user.username, digits, but: id })
  if (digits !== '' && isTaken) throw fail('user.number_taken')
  // One's own given digits are no choice.
  await rows.setCustomNumber(tx, id, digits === user.identify_num ? '' : digits)
}

/**
 * Sets the ring around the face of a person with BUFF; `''`: none, which everybody may choose. It is kept
 * when BUFF ends, and shows again with the next one.
 * @throws Failure user.needs_buff, user.unknown
 */
export async function chooseFrame(tx: Tx, id: UserId, frame: AvatarFrame | ''): Promise<void> {
  if (frame !== '' && !hasBuff(await lockUser(tx, id))) throw fail('user.needs_buff')
  await rows.setFrame(tx, id, frame)
}

/**
 * Changes a person's picture; `''`: none. `moving`: the same while they have BUFF, empty when it does not
 * move. The caller keeps its file.
 */
export const setAvatar = rows.setAvatar

/** @throws Failure user.name_required, user.name_wrong */
export function requireName(username: string): void {
  const problem = nameProblem(username)
  if (problem) throw fail(problem)
}

/** Gives somebody a picture who has none. False when they have one, or are gone. */
export const setFirstAvatar = (tx: Tx, id: UserId, address: string): Promise<boolean> =>
  rows.setFirstAvatar(tx, id, address)

/** The rights of a staff account, those of its role included; empty for everybody else. */
export async function staffRightsOf(db: Db, id: UserId): Promise<StaffRight[]> {
  const { staff_role, staff_rights } = await rows.staffOf(db, id)
  return rightsOfStaff(staff_role, staff_rights)
}

/** The role of a staff account, and the rights that were granted beside it. */
export const staffOf = rows.staffOf

/** Gives an account a role of staff; `''`: none. */
export const setStaffRole = (tx: Tx, id: UserId, role: StaffRole | ''): Promise<void> =>
  rows.setStaffRole(tx, id, role)

/** Replaces the rights of an account; none makes it an ordinary one. */
export const setStaffRights = (tx: Tx, id: UserId, rights: readonly StaffRight[]): Promise<void> =>
  rows.setStaffRights(tx, id, rights)

/** Creates a bot's account. It has no mobile number and counts as verified. protocol.md §9.2. */
export async function registerBot(tx: Tx, name: string): Promise<rows.UserRow> {
  const it = { prefix: '', mobile: '', verified: true, isBot: true, makeName: () => name }
  return (await register(tx, it)).user
}

/** What the official account is called: as the site is, without spaces. */
const officialName = (): string => siteName[defaultLocale].replace(/\s+/g, '')

/** Gives the official account the name of the site, which may be another one since the last start. */
export async function nameOfficialAccount(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const known = await rows.officialAccount(tx)
    if (known && known.username !== officialName()) await rename(tx, known.id, officialName())
  })
}

/**
 * The official account, which is created when it is first needed. Nobody logs in with it, and nobody becomes
 * its friend.
 */
export async function officialAccount(tx: Tx): Promise<rows.UserRow> {
  const known = await rows.officialAccount(tx)
  if (known) return known
  await rows.lockOfficialAccount(tx)
  const made = await rows.officialAccount(tx)
  if (made) return made
  const added = await registerBot(tx, officialName())
  await rows.addOfficialAccount(tx, added.id)
  return { ...added, is_official: true }
}

/**
 * Creates an account. Digits distinguish it from others of the same name; `makeName` is called again when all
 * tried digits are taken. Returns the existing account if one has the mobile number.
 */
export async function register(
  tx: Tx,
  input: {
    readonly prefix: string
    readonly mobile: string
    readonly verified: boolean
    readonly makeName: () => string
    readonly avatar?: string
    readonly isBot?: boolean
  },
): Promise<{ readonly user: rows.UserRow; readonly isNew: boolean }> {
  for (let tries = 0; tries < TRIES * 3; tries++) {
    const username = input.makeName()
    const digits = ids.digits(4 + Math.floor(tries / TRIES))
    await rows.lockName(tx, username)
    if (await rows.isNumberTaken(tx, { username, digits, but: null })) continue
    const added = await rows.add(tx, {
      username,
      identify_num: digits,
      avatar: input.avatar ?? '',
      bot: input.isBot ?? false,
      mobile_prefix: input.prefix,
      mobile: input.mobile,
      mobile_verified: input.verified,
      created_at: clock.now(),
    })
    if (added) return { user: added, isNew: true }
    const known = input.mobile === '' ? null : await rows.byMobile(tx, input.prefix, input.mobile)
    if (known) return { user: known, isNew: false }
  }
  throw new Error('no free digits were found for a new name')
}
