/** What somebody reports, as they see it; and how it is now. */
import { createHash } from 'node:crypto'
import { fail } from '@guildhall/wire/failure.ts'
import { type GuildId, guildId, type MessageId, messageId, type UserId, userId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { quoteIn } from '@guildhall/wire/message/quote.ts'
import type {
  Evidence,
  EvidenceGuild,
  EvidenceIdentity,
  EvidenceMessage,
} from '@guildhall/wire/report/evidence.ts'
import { REPORT_AROUND } from '@guildhall/wire/report/limit.ts'
import type { ReportKind } from '@guildhall/wire/report/report.ts'
import type { TargetNow } from '@guildhall/wire/staff/reports.ts'
import type { FileAddresses, Kept } from '../asset/asset.ts'
import { findChannel } from '../channel/channel.ts'
import { type PrivateRow, privateMessageIn, seenAroundPrivate, withSignedFiles } from '../chat/chat.ts'
import { findAnyGuild, findGuild, type GuildRow, recommendOf } from '../guild/guild.ts'
import type { Db } from '../kit/database/db.ts'
import { isMember } from '../member/member.ts'
import { type AuthoredRow, type MessageAround, messageIn, seenAround } from '../message/message.ts'
import { findUser, isSuspended, numberOf, type UserRow } from '../user/user.ts'
import type { CaseRow, CaseTarget } from './sql.ts'

/** What is reported: whom it concerns, how it looks, and the files that this needs. */
export interface Seen {
  readonly target: CaseTarget
  readonly evidence: Evidence
  /** Of the target alone: another one means that it was changed. */
  readonly digest: string
  readonly files: readonly Kept[]
}

/**
 * Looks at what a person reports, by the rules that reading it has.
 * @throws Failure report.unknown, report.own
 */
export function look(db: Db, reporterId: UserId, kind: ReportKind, id: string): Promise<Seen> {
  const parsed = { message: messageId, user: userId, guild: guildId }[kind].safeParse(id)
  if (!parsed.success) throw fail('report.unknown')
  if (kind === 'message') return lookAtMessage(db, reporterId, id as MessageId)
  return kind === 'user'
    ? lookAtPerson(db, reporterId, id as UserId)
    : lookAtGuild(db, reporterId, id as GuildId)
}

async function lookAtMessage(db: Db, reporterId: UserId, id: MessageId): Promise<Seen> {
  const around: MessageAround<AuthoredRow | PrivateRow> | null =
    (await seenAround(db, reporterId, id, REPORT_AROUND)) ??
    (await seenAroundPrivate(db, reporterId, id, REPORT_AROUND))
  if (!around) throw fail('report.unknown')
  const { row, before, after } = around
  if (row.author_id === reporterId) throw fail('report.own')
  const inChannel = 'channel_id' in row ? row : null
  const [guild, channel] = inChannel
    ? [await findGuild(db, inChannel.guild_id), await findChannel(db, inChannel.channel_id)]
    : [null, null]
  const message = evidenceMessageOf(row)
  return {
    target: {
      kind: 'message',
      targetId: id,
      name: row.username,
      userId: row.author_id,
      guildId: inChannel?.guild_id ?? null,
    },
    evidence: {
      kind: 'message',
      message,
      guild: guild && { id: guild.id, name: guild.name },
      channel: channel && { id: channel.id, name: channel.name },
      chat_code: 'chat_code' in row ? row.chat_code : '',
      before: before.map(evidenceMessageOf),
      after: after.map(evidenceMessageOf),
    },
    digest: digestOf([message.content, message.attachments, message.updated_at]),
    files: [...before, row, ...after].map(({ kind, content, attachments, author_id }) => ({
      kind,
      content,
      attachments,
      authorId: author_id,
    })),
  }
}

async function lookAtPerson(db: Db, reporterId: UserId, id: UserId): Promise<Seen> {
  const user = await findUser(db, id)
  if (!user || user.deleted_at !== null) throw fail('report.unknown')
  if (user.id === reporterId) throw fail('report.own')
  const person = evidenceIdentityOf(user)
  return {
    target: { kind: 'user', targetId: id, name: user.username, userId: id, guildId: null },
    evidence: { kind: 'user', person },
    digest: digestOf(person),
    files: [{ pictures: [person.avatar, person.vip_avatar] }],
  }
}

async function lookAtGuild(db: Db, reporterId: UserId, id: GuildId): Promise<Seen> {
  const found = await findGuild(db, id)
  const isSeen = found && ((await isMember(db, id, reporterId)) || (await recommendOf(db, id)) !== null)
  if (!isSeen) throw fail('report.unknown')
  if (found.user_id === reporterId) throw fail('report.own')
  const guild = evidenceGuildOf(found)
  return {
    target: { kind: 'guild', targetId: id, name: found.name, userId: found.user_id, guildId: id },
    evidence: { kind: 'guild', guild },
    digest: digestOf(guild),
    files: [{ pictures: [guild.icon, guild.banner] }],
  }
}

const digestOf = (it: unknown): string => createHash('sha256').update(JSON.stringify(it)).digest('hex')

export function evidenceMessageOf(row: AuthoredRow | PrivateRow): EvidenceMessage {
  const quote = quoteIn(row)
  return {
    id: row.id,
    kind: row.kind,
    content: row.content,
    words: row.kmarkdown.raw_content,
    author: {
      id: row.author_id,
      username: row.username,
      identify_num: numberOf(row),
      bot: row.bot,
      nickname: ('nickname' in row ? row.nickname : null) ?? '',
    },
    create_at: row.create_at,
    updated_at: row.updated_at,
    attachments: row.attachments ?? null,
    quote: quote && { author: quote.author.nickname || quote.author.username, content: quote.content },
  }
}

const evidenceIdentityOf = (user: UserRow): EvidenceIdentity => ({
  id: user.id,
  username: user.username,
  identify_num: numberOf(user),
  nickname: '',
  bot: user.bot,
  avatar: user.avatar,
  vip_avatar: user.vip_avatar,
})

const evidenceGuildOf = (guild: GuildRow): EvidenceGuild => ({
  id: guild.id,
  owner_id: guild.user_id,
  custom_id: guild.custom_id ?? '',
  name: guild.name,
  icon: guild.icon,
  desc: guild.topic,
  banner: guild.banner,
})

/**
 * How the target of a case is now. `seen`: how it was, which says where a message is; null: that is not kept
 * any more.
 */
export async function nowOf(db: Db, input: CaseRow, seen: Evidence | null): Promise<TargetNow> {
  if (input.kind === 'user') {
    const user = await findUser(db, input.user_id)
    const state = !user || user.deleted_at !== null ? 'deleted' : isSuspended(user) ? 'suspended' : 'active'
    return { kind: 'user', person: user && state !== 'deleted' ? evidenceIdentityOf(user) : null, state }
  }
  if (input.kind === 'guild') {
    const guild = await findAnyGuild(db, input.target_id as GuildId)
    return {
      kind: 'guild',
      guild: guild && evidenceGuildOf(guild),
      state: guild && !guild.is_closed ? 'active' : 'closed',
    }
  }
  if (seen?.kind !== 'message') return { kind: 'message', message: null }
  const row = seen.channel
    ? await messageIn(db, seen.channel.id, input.target_id, input.user_id)
    : await privateMessageIn(db, seen.chat_code, input.target_id, input.user_id)
  return { kind: 'message', message: row && evidenceMessageOf(row) }
}

/** Evidence with addresses that open its files. */
export function signedEvidence(addresses: FileAddresses, input: Evidence): Evidence {
  const message = (each: EvidenceMessage) => signedMessage(addresses, each)
  if (input.kind === 'message')
    return {
      ...input,
      message: message(input.message),
      before: input.before.map(message),
      after: input.after.map(message),
    }
  return input.kind === 'user'
    ? { ...input, person: signedIdentity(addresses, input.person) }
    : { ...input, guild: signedGuild(addresses, input.guild) }
}

export function signedNow(addresses: FileAddresses, input: TargetNow): TargetNow {
  if (input.kind === 'message')
    return { ...input, message: input.message && signedMessage(addresses, input.message) }
  return input.kind === 'user'
    ? { ...input, person: input.person && signedIdentity(addresses, input.person) }
    : { ...input, guild: input.guild && signedGuild(addresses, input.guild) }
}

export function signedMessage(addresses: FileAddresses, input: EvidenceMessage): EvidenceMessage {
  const { content, attachments } = withSignedFiles(addresses, {
    kind: input.kind as MessageKind,
    content: input.content,
    attachments: input.attachments,
    quote: null,
  })
  return { ...input, content, attachments: attachments ?? null }
}

const signedIdentity = ({ signed }: FileAddresses, input: EvidenceIdentity): EvidenceIdentity => ({
  ...input,
  avatar: signed(input.avatar),
  vip_avatar: signed(input.vip_avatar),
})

const signedGuild = ({ signed }: FileAddresses, input: EvidenceGuild): EvidenceGuild => ({
  ...input,
  icon: signed(input.icon),
  banner: signed(input.banner),
})
