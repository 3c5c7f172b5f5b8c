/** The copy of a person's data, page by page. */
import {
  type AccountExport,
  EXPORT_PAGE,
  type ExportedMessage,
  type ExportedReport,
} from '@guildhall/wire/account/account.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { addressOf, type FileAddresses, uploadsOf } from '../asset/asset.ts'
import { secondFactorFacts, sessionFacts, thirdPartiesOf } from '../auth/auth.ts'
import { ownPrivateMessages } from '../chat/chat.ts'
import { friendFacts, personNoteFacts } from '../friend/friend.ts'
import { referralFacts } from '../invite/invite.ts'
import type { Db } from '../kit/database/db.ts'
import { everyMembership } from '../member/member.ts'
import { ownMessages } from '../message/message.ts'
import { verifiedSince } from '../realname/realname.ts'
import { ownHeld } from '../screening/screening.ts'
import { contactOf, createdAt, findUser } from '../user/user.ts'

/** The parts of an export, in order. A cursor is a part and the last id, or key, of it. */
const PARTS = ['messages', 'private', 'files', 'held', 'reports'] as const
type Part = (typeof PARTS)[number]

const CURSOR = /^(messages|private):([0-9a-f-]{36})?$|^(files):([\w/.-]{0,150})$|^(held|reports):(\d{1,15})?$/

function readCursor(cursor: string): { readonly part: Part; readonly after: string } {
  const [, part, id, files, key, numbered, number] = CURSOR.exec(cursor) ?? []
  if (part) return { part: part as Part, after: id ?? '' }
  if (files) return { part: 'files', after: key ?? '' }
  if (numbered) return { part: numbered as Part, after: number ?? '' }
  throw fail('bad_input', { fields: ['cursor'] })
}

/**
 * Reports that a person made, those after an id, in order. `report/report.ts` answers it, which comes after
 * this noun.
 */
export type OwnReports = (
  db: Db,
  userId: UserId,
  after: number,
  limit: number,
) => Promise<readonly (ExportedReport & { readonly id: string })[]>

interface ExportFrom {
  readonly origin: string
  readonly addresses: FileAddresses
  readonly ownReports: OwnReports
}

/**
 * One page: without a cursor the profile and the first messages.
 * @throws Failure not_logged_in, bad_input
 */
export async function exportPage(
  db: Db,
  userId: UserId,
  input: ExportFrom & { readonly cursor: string },
): Promise<AccountExport> {
  const isFirst = input.cursor === ''
  const { part, after } = isFirst ? { part: PARTS[0], after: '' } : readCursor(input.cursor)
  const head = isFirst ? await headOf(db, userId) : {}
  const { last, ...read } = await readPart(db, userId, { ...input, part, after })
  const following = PARTS[PARTS.indexOf(part) + 1]
  const next = last === null ? (following ? `${following}:` : '') : `${part}:${last}`
  return { ...head, ...NONE, ...read, next }
}

const NONE = { messages: [], files: [], held: [], reports: [] } as const satisfies Partial<AccountExport>

/** A page of one part; `last` null: there is no more of it. */
async function readPart(
  db: Db,
  userId: UserId,
  input: ExportFrom & { readonly part: Part; readonly after: string },
): Promise<Partial<Pick<AccountExport, keyof typeof NONE>> & { readonly last: string | null }> {
  const { part, after, origin, addresses } = input
  const more = <T>(rows: readonly T[], id: (row: T) => string) =>
    rows.length === EXPORT_PAGE ? id(rows.at(-1)!) : null
  if (part === 'files') {
    const rows = await uploadsOf(db, userId, after, EXPORT_PAGE)
    const files = rows.map(({ key, mime, ...row }) => ({
      // Files of private conversations are readable by signed addresses alone.
      url: addresses.signed(addressOf(key, origin)),
      file_type: mime,
      ...row,
    }))
    return { files, last: more(rows, ({ key }) => key) }
  }
  if (part === 'held') {
    const rows = await ownHeld(db, userId, Number(after), EXPORT_PAGE)
    return { held: rows.map(({ id: _, ...row }) => row), last: more(rows, ({ id }) => id) }
  }
  if (part === 'reports') {
    const rows = await input.ownReports(db, userId, Number(after), EXPORT_PAGE)
    return { reports: rows.map(({ id: _, ...row }) => row), last: more(rows, ({ id }) => id) }
  }
  const read = part === 'messages' ? ownMessages : ownPrivateMessages
  const messages: ExportedMessage[] = await read(db, userId, after || null, EXPORT_PAGE)
  return { messages, last: more(messages, ({ id }) => id) }
}

async function headOf(db: Db, userId: UserId): Promise<Omit<AccountExport, keyof typeof NONE | 'next'>> {
  const user = await findUser(db, userId)
  if (!user) throw fail('not_logged_in')
  const { id, username, identify_num, avatar, mobile_verified } = user
  const created_at = await createdAt(db, userId)
  const memberships = (await everyMembership(db, userId)).map(({ guild_id, name, nickname, joined_at }) => ({
    guild_id,
    name,
    nickname,
    joined_at,
  }))
  return {
    profile: { id, username, identify_num, avatar, ...contactOf(user), mobile_verified, created_at },
    memberships,
    sessions: await sessionFacts(db, userId),
    third_parties: await thirdPartiesOf(db, userId),
    second_factor: await secondFactorFacts(db, userId),
    friends: await friendFacts(db, userId),
    person_notes: await personNoteFacts(db, userId),
    referral: await referralFacts(db, userId),
    real_name: { verified_at: await verifiedSince(db, userId) },
  }
}
