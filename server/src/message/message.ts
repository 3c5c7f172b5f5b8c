/** The text room: its past, and what is said in it. chat.md §4 and §5, protocol.md §6.4 and §9.3. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { Role } from '@guildhall/wire/guild/guild.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import {
  mentionsIn,
  parse,
  parseLegacy,
  plain,
  withoutOverrides,
  withShortcodes,
} from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionWords } from '@guildhall/wire/kmarkdown/text.ts'
import { imageNameOf, mediaKinds, type VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { emojiCharacters, readEmoji } from '@guildhall/wire/message/emoji.ts'
import { kindNumber, kindOf, type MessageKind } from '@guildhall/wire/message/kind.ts'
import {
  CONTENT_MAX,
  type Emoji,
  type KmarkdownPart,
  type Message,
  type Reaction,
  type SendBody,
  sendBody,
} from '@guildhall/wire/message/message.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Author } from '@guildhall/wire/user/user.ts'
import { mustView, openViews, type Standing, viewOf, visibleAmong } from '../channel/channel.ts'
import { emojiNamed, usableEmoji } from '../emoji/emoji.ts'
import { membersCalled, type NamedMember, namedMembers, rolesOf } from '../guild/guild.ts'
import { openBatches } from '../kit/batch.ts'
import { BriefMap } from '../kit/brief.ts'
import type { Bus } from '../kit/bus.ts'
import { clock } from '../kit/clock.ts'
import { type Db, sqlState } from '../kit/db.ts'
import type { Live } from '../kit/events.ts'
import { clean } from '../kit/http.ts'
import { ids } from '../kit/ids.ts'
import type { SendMetrics } from '../kit/metrics.ts'
import type { Presence } from '../kit/presence.ts'
import { authorOf } from '../user/user.ts'
import { cardContent, cardNodes, type FetchPicture, maySendCards } from './card.ts'
import { mediaOf } from './media.ts'
import * as rows from './sql/message.ts'
import { mediaWords } from './text.ts'

export { cardContent, cardNodes, type FetchPicture, maySendCards } from './card.ts'
export { fileOf } from './media.ts'

/** The kinds that may be sent; cards by bots. */
export const SENDABLE: ReadonlySet<MessageKind> = new Set([
  ...(['text', 'kmarkdown', 'image', 'file', 'video', 'voice', 'card'] as const),
])
/** The kinds whose words may change. protocol.md §4.7. */
export const EDITABLE: ReadonlySet<MessageKind> = new Set(['kmarkdown', 'card'])
/** The object name of text; others name media. protocol.md §9.3. */
const TEXT_OBJECT = 'RC:TxtMsg'
/** `conversationType` of a guild's channel. chat.md §3. */
const IN_GUILD = 3
/** More ids than this in one message are not looked up: they stay as they were typed. */
const MENTIONS_MAX = 100
/** Of the words of cards so many are kept for previews, UTF-16 units. */
const CARD_WORDS_MAX = 500

export function wireOf(row: rows.MessageRow, author: Author, reactions: readonly Reaction[]): Message {
  return {
    id: row.id,
    rong_id: row.id,
    channel_id: row.channel_id,
    guild_id: row.guild_id,
    targetId: row.channel_id,
    conversationType: IN_GUILD,
    seq: row.seq,
    type: kindNumber(row.kind, 'specification'),
    content: row.content,
    create_at: row.create_at,
    updated_at: row.updated_at,
    author,
    nonce: row.nonce,
    kmarkdown: row.kmarkdown,
    mention: row.mention,
    mention_all: row.mention_all,
    mention_here: row.mention_here,
    mention_roles: row.mention_roles,
    quote: row.quote ?? null,
    attachments: row.attachments,
    embeds: row.embeds ?? [],
    reactions: [...reactions],
    image_name: row.kind === 'image' ? imageNameOf(kindNumber('image', 'specification'), row.content) : '',
    revision: row.revision,
    is_pinned: row.is_pinned,
  }
}

/** A stored message as its reader sees it. */
export const authoredOf = (row: rows.AuthoredRow, presence: Presence): Message =>
  wireOf(row, authorOf({ ...row, id: row.author_id }, presence), row.reactions)

/** Which part of a channel's past is asked for: the newest without an anchor, `around` has it in the middle. */
export interface Part {
  readonly channelId: string
  readonly anchor: string | undefined
  readonly flag: 'before' | 'around' | 'after'
  readonly limit: number
}

/**
 * A page of a channel's past, oldest first. Authors carry today's names. Fewer than `limit` means there is nothing
 * further that way.
 * @throws Failure forbidden, message.unknown (no such anchor in this channel)
 */
export async function history(db: Db, presence: Presence, userId: string, it: Part): Promise<Message[]> {
  await mustView(db, userId, it.channelId)
  const page = await between(db, userId, it)
  return page.map((row) => authoredOf(row, presence))
}

/** @throws Failure message.unknown (no such anchor in this channel) */
export async function between(db: Db, userId: string, it: Part): Promise<rows.AuthoredRow[]> {
  if (it.anchor === undefined) return rows.page(db, userId, it.channelId, null, it.limit)
  const seq = await rows.seqOf(db, it.channelId, it.anchor)
  if (seq === null) throw fail('message.unknown')
  if (it.flag === 'before') return rows.page(db, userId, it.channelId, seq, it.limit)
  if (it.flag === 'after') return rows.pageAfter(db, userId, it.channelId, seq, it.limit)
  const until = Math.ceil(it.limit / 2)
  const before = await rows.page(db, userId, it.channelId, seq + 1, until)
  const after = it.limit > until ? await rows.pageAfter(db, userId, it.channelId, seq, it.limit - until) : []
  return [...before, ...after]
}

/** How a send looks up who speaks and how it is stored. Both keep one author's order. */
export interface Desk {
  /** How a person stands to a channel, see `viewOf`. */
  view(userId: string, channelId: string): Promise<Standing | null>
  /** Stores one draft. Answers after the commit, as `rows.add` does; a nonce that was used meanwhile is null. */
  add(draft: rows.Draft): Promise<rows.Added | null>
  /** Holds `ready` back until what came before it under `key` was prepared. */
  inTurn<T>(key: string, ready: Promise<T>): Promise<T>
  /** How a card's picture from elsewhere comes into the house; without it none does. */
  readonly fetchPicture?: FetchPicture
  /** Hears of each message once it is stored and told. `origin`: the address people use. */
  readonly sent?: (message: Message, origin: string) => void
}

/** Messages in one statement, and the bytes of text after which no further one joins it. */
const BATCH_MOST = 128
const BATCH_BYTES = 256 * 1024
/** Messages that may wait for a statement. Some seconds of the busiest house: more would be too late anyway. */
const WAITING_MOST = 10_000
/** Statements under way at once. Messages of one guild are never in two, for they would wait for its counter. */
const BATCH_LANES = 2

/**
 * The desk of the server: concurrent sends share look-ups, round trips and commits, and a lonely one waits for
 * nobody. decision 10.
 */
export function openDesk(
  db: Db,
  metrics?: SendMetrics,
  bus?: Bus,
  beside: Pick<Desk, 'fetchPicture' | 'sent'> = {},
): Desk {
  const batches = openBatches<rows.Draft, rows.Added | null>({
    run: (drafts) => rows.add(db, drafts),
    keyOf: ({ event }) => event.message.guild_id,
    bytesOf: ({ event }) => event.message.content.length,
    most: BATCH_MOST,
    mostBytes: BATCH_BYTES,
    mostWaiting: WAITING_MOST,
    lanes: BATCH_LANES,
    ...(metrics && { onBatch: metrics.batch }),
  })
  metrics?.watchQueue(batches.waiting)
  const turns = new BriefMap<string, Promise<unknown>>()
  return {
    ...beside,
    view: openViews(db, bus),
    async add(draft) {
      const began = performance.now()
      const added = await batches.ask(draft).catch(nullWhenRepeated)
      metrics?.committed((performance.now() - began) / SECOND_MS)
      return added
    },
    async inTurn(key, ready) {
      const before = turns.get(key)
      const mine = Promise.allSettled([before, ready])
      turns.set(key, mine)
      await mine
      if (turns.get(key) === mine) turns.delete(key)
      return ready
    },
  }
}

/** For a send inside somebody's transaction, which commits for it. */
const deskIn = (db: Db): Desk => ({
  view: (userId, channelId) => viewOf(db, userId, channelId),
  add: async (draft) => (await rows.add(db, [draft]))[0] ?? null,
  inTurn: (_key, ready) => ready,
})

const UNIQUE_VIOLATION = '23505'

/** Another process stored this nonce a moment earlier: its message is the answer. */
function nullWhenRepeated(error: unknown): null {
  if (sqlState(error) === UNIQUE_VIOLATION) return null
  throw error
}

/**
 * Sends to a text channel; answers after the commit. A nonce used before by the same author in the same channel
 * answers with the first message, sends nothing and takes no number; one that was deleted does not come back. Without
 * a `desk` it stores alone.
 * @throws Failure forbidden, message.not_allowed (detail.why), message.empty, message.too_long,
 *   message.kind_refused, message.unknown (the quoted one), message.deleted, card.invalid (detail.at, detail.why),
 *   asset.unknown, asset.too_large, bad_json, bad_input
 */
export async function send(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: Said,
  desk: Desk = deskIn(live.db),
): Promise<Message> {
  const key = `${userId} ${it.channelId}`
  const sentBefore = async () => {
    const first = await rows.byNonce(live.db, it.channelId, userId, it.nonce)
    if (first === 'deleted') throw fail('message.deleted')
    return first && authoredOf(first, presence)
  }
  const draft = await desk.inTurn(key, prepare(live.db, presence, userId, it, desk, sentBefore))
  if ('repeated' in draft) return draft.repeated
  const { message: unnumbered, channel } = draft.event
  const added = await desk.add(draft)
  if (!added) {
    const first = await sentBefore()
    // Its guild or its channel went after it was looked up.
    if (!first) throw fail('forbidden')
    return first
  }
  const message = { ...unnumbered, seq: added.seq, create_at: added.at }
  live.bus.publish({
    to: 'guild',
    guildId: message.guild_id,
    channelId: message.channel_id,
    seq: added.seq,
    at: added.at,
    kind: 'message',
    body: { message, channel },
  })
  desk.sent?.(message, it.origin ?? '')
  return message
}

/** What somebody says, as it came through the door. */
export interface Said {
  readonly channelId: string
  /** Words, or the address of a file, when `kind` says so; else the JSON of a v2 call, see `sendBody`. */
  readonly content: string
  /** Of a v2 call. */
  readonly objectName?: string
  /** Null names a kind that nobody knows. */
  readonly kind?: MessageKind | null
  /** With a `kind`: the message it answers. */
  readonly quote?: string | undefined
  /** With a `kind`, of a video: what its sender says it looks like. */
  readonly looks?: VideoLooks | undefined
  readonly nonce: string
  /** The address people use, in front of those of files. Nothing: they are told without it. */
  readonly origin?: string
  /** When it was said, ms; now unless the demo world tells of earlier days. */
  readonly at?: number
}

/**
 * May they say it, and what does it say? Everything about a message but its number and time. `sentBefore` answers what
 * was sent under its nonce.
 */
export async function prepare<First>(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: Said,
  desk: Pick<Desk, 'view' | 'fetchPicture'>,
  sentBefore: () => Promise<First | null>,
): Promise<rows.Draft | { readonly repeated: First }> {
  const standing = await desk.view(userId, it.channelId)
  if (!standing?.canView) throw fail('forbidden')
  const why = standing.channel.type === channelType.text ? standing.whyCannotSend : 'no_permission'
  if (why) throw fail('message.not_allowed', { why })

  const { kind, content: typed, quote, looks } = it.kind === undefined ? readBody(it) : it
  const author = standing.author(presence)
  if (!kind || !SENDABLE.has(kind)) throw fail('message.kind_refused')
  if (kind === 'card' && !maySendCards(author)) throw fail('message.kind_refused')
  // Cards sent again may be refused by now, their countdown being over, and their pictures are not fetched twice.
  const repeated = kind === 'card' && it.nonce ? await sentBefore() : null
  if (repeated) return { repeated }
  const origin = it.origin ?? ''
  const { fetchPicture } = desk
  const said =
    kind === 'card'
      ? await cardContent(db, userId, { content: typed, origin, fetchPicture })
      : wordsOf(typed, kind)
  const address = { kind, content: said, origin, looks }
  // Words have no file: they do not wait for the question.
  const media = kind in mediaKinds ? await mediaOf(db, userId, author.is_vip, standing, address) : null
  const content = media?.content ?? said

  const row = {
    ...(media ? nothingMentioned(media.words) : await resolve(db, userId, standing, kind, content)),
    attachments: media?.attachments ?? null,
    embeds: null,
    id: ids.uuid() as MessageId,
    guild_id: standing.channel.guild_id,
    channel_id: standing.channel.id,
    author_id: userId,
    nonce: it.nonce,
    kind,
    content,
    quote: quote ? await quoteOf(db, presence, userId, it.channelId, quote) : null,
    revision: 0,
    is_pinned: false,
  }
  const now = it.at ?? clock.now()
  const message = wireOf({ ...row, seq: 0, create_at: now, updated_at: 0 }, author, [])
  const { name, type } = standing.channel
  return { kind, now, event: { message, channel: { name, type } } }
}

/**
 * What may be stored of the words of a message; in KMarkdown `:smile:` is stored as the emoji it names.
 * protocol.md §6.4.
 * @throws Failure message.empty, message.too_long
 */
export function wordsOf(typed: string, kind: MessageKind): string {
  const words = withoutOverrides(clean(typed))
  const content = kind === 'kmarkdown' ? withShortcodes(words, emojiNamed) : words
  if (content.trim() === '') throw fail('message.empty')
  if (content.length > CONTENT_MAX) throw fail('message.too_long', { most: CONTENT_MAX })
  return content
}

/**
 * Content for a template is not what is to be sent.
 * @throws Failure message.template_unknown
 */
export function refuseTemplate(id: string): void {
  if (id !== '') throw fail('message.template_unknown')
}

/** The JSON inside `content`. What is no JSON object is a text typed as it is. */
export function readBody({ content, objectName = TEXT_OBJECT }: Pick<Said, 'content' | 'objectName'>): {
  readonly kind: MessageKind | null
  readonly content: string
  readonly quote?: string | undefined
  readonly looks?: VideoLooks
} {
  const { type, content: said, quote, ...looks } = readJson(content, objectName)
  return { kind: kindOf(type, 'specification'), content: said, quote, looks }
}

function readJson(content: string, objectName: string): SendBody {
  if (objectName !== TEXT_OBJECT) throw fail('message.kind_refused')
  if (content.trim() === '') throw fail('message.empty')
  if (!content.trimStart().startsWith('{')) return { content, type: kindNumber('text', 'specification') }
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch {
    throw fail('bad_json')
  }
  const body = sendBody.safeParse(json)
  if (body.success) return body.data
  const fields = body.error.issues.map((issue) => ['content', ...issue.path].join('.'))
  throw fail('bad_input', { fields })
}

/** Unicode knows which sequences are one emoji. */
const isEmoji = (characters: string): boolean => /^\p{RGI_Emoji}$/v.test(characters)

/**
 * The emoji of a reaction as a caller wrote it. protocol.md §4.7.
 * @throws Failure message.emoji_unknown
 */
export function emojiOf(text: string): Emoji {
  const emoji = readEmoji(text.normalize('NFC'), isEmoji)
  if (!emoji) throw fail('message.emoji_unknown')
  return emoji
}

/**
 * The same, of somebody who is about to react: a guild's emoji must be one they may use, and goes by its own name.
 * @throws Failure message.emoji_unknown
 */
export async function ownEmojiOf(db: Db, userId: string, text: string): Promise<Emoji> {
  const emoji = emojiOf(text)
  if (emojiCharacters(emoji.id) !== null) return emoji
  const usable = (await usableEmoji(db, userId, [emoji.id])).get(emoji.id)
  if (!usable) throw fail('message.emoji_unknown')
  return usable
}

/** What stands for a message where only words fit: of a card a part, or that it is one. */
export const rawWords = (kind: MessageKind, words: string): string =>
  kind === 'card' ? words.slice(0, CARD_WORDS_MAX).toWellFormed() || mediaWords.card : words

type Resolved = Pick<
  rows.MessageRow,
  'mention' | 'mention_roles' | 'mention_all' | 'mention_here' | 'kmarkdown'
>

/** Of what calls on nobody; `raw`: what stands for it where only words fit. */
export const nothingMentioned = (raw: string): Resolved => ({
  mention: [],
  mention_roles: [],
  mention_all: false,
  mention_here: false,
  kmarkdown: { raw_content: raw, mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
})

/**
 * Whom a message calls on, and the names behind its ids as they are now. Only members, roles that may be mentioned
 * by this author, and channels this author may view count; the rest stays as typed. protocol.md §6.4.
 */
export async function resolve(
  db: Db,
  userId: string,
  standing: Standing,
  kind: MessageKind,
  content: string,
): Promise<Resolved> {
  if (kind !== 'kmarkdown' && kind !== 'text' && kind !== 'card') return nothingMentioned(content)
  const nodes = kind === 'card' ? cardNodes(content) : kind === 'text' ? parseLegacy(content) : parse(content)
  const ids = mentionsIn(nodes)
  const guildId = standing.channel.guild_id
  const userIds = ids.users.filter(isStorableId).slice(0, MENTIONS_MAX)
  const channelIds = ids.channels.filter(isStorableId).slice(0, MENTIONS_MAX)
  const roleIds = new Set(ids.roles.slice(0, MENTIONS_MAX))

  const named = ids.named.slice(0, MENTIONS_MAX)
  const members = [
    ...(userIds.length > 0 ? await namedMembers(db, guildId, userIds) : []),
    ...(named.length > 0 ? await membersCalled(db, guildId, named) : []),
  ]
  const roles =
    roleIds.size > 0 ? (await rolesOf(db, guildId)).filter((role) => roleIds.has(role.role_id)) : []
  const channels = channelIds.length > 0 ? await visibleAmong(db, userId, standing, channelIds) : []
  const emoji = await usableEmoji(db, userId, ids.emoji.slice(0, MENTIONS_MAX))
  const mayCallAll = has(standing.permissions, permission.mention_everyone)
  const mentionable = roles.filter((role) => role.mentionable === 1 || mayCallAll)

  const memberById = new Map<string, NamedMember>(members.map((member) => [member.id, member]))
  const memberByCall = new Map(
    members.map((member) => [callOf(member.username, member.identify_num), member]),
  )
  // A name and its number say more than a number that happens to be somebody's id.
  const byCall = named.filter((each) => memberByCall.has(callOf(each.username, each.identify_num)))
  const called = [
    ...inOrder(
      userIds.filter((id) => !byCall.some(({ identify_num }) => identify_num === id)),
      memberById,
    ),
    ...inOrder(
      byCall.map(({ username, identify_num }) => callOf(username, identify_num)),
      memberByCall,
    ),
  ]
  const roleById = new Map(roles.map((role) => [role.role_id, role]))
  const channelById = new Map<string, (typeof channels)[number]>(
    channels.map((channel) => [channel.id, channel]),
  )
  const raw = plain(nodes, {
    user: (id, name = '') => (memberByCall.get(callOf(name, id)) ?? memberById.get(id))?.nickname ?? null,
    role: (id) => roleById.get(id)?.name ?? null,
    channel: (id) => channelById.get(id)?.name ?? null,
    emojiName: (id) => emoji.get(id)?.name ?? null,
    words: mentionWords.zh,
  })
  const kmarkdown: KmarkdownPart = {
    raw_content: rawWords(kind, raw),
    mention_part: [...new Set(called)].map((member) => ({
      id: member.id,
      username: member.username,
      full_name: callOf(member.username, member.identify_num),
      avatar: member.avatar,
      ...(member.nickname !== member.username && { nickname: member.nickname }),
    })),
    mention_role_part: mentionable satisfies Role[],
    channel_part: inOrder(channelIds, channelById).map((channel) => ({
      id: channel.id,
      guild_id: guildId,
      name: channel.name,
    })),
    item_part: [],
    ...(emoji.size > 0 && { emoji_part: inOrder(ids.emoji, emoji) }),
  }
  return {
    mention: kmarkdown.mention_part.map(({ id }) => id),
    mention_roles: mentionable.map((role) => role.role_id),
    mention_all: ids.all && mayCallAll,
    mention_here: ids.here && mayCallAll,
    kmarkdown,
  }
}

/** How a person is called wherever names are not unique: `ann#0049`. */
const callOf = (username: string, identifyNum: string): string => `${username}#${identifyNum}`

/** Ids past what the database can hold name nothing. */
const isStorableId = (id: string): boolean => /^[1-9]\d{0,15}$/.test(id)

const inOrder = <T>(ids: readonly string[], byId: ReadonlyMap<string, T>): T[] =>
  ids.flatMap((id) => byId.get(id) ?? [])

/** The quoted message as it stands inside the one that quotes it. protocol.md §5.6. */
export async function quoteOf(
  db: Db,
  presence: Presence,
  userId: string,
  channelId: string,
  id: string,
): Promise<object> {
  const row = await rows.byId(db, userId, channelId, id)
  if (!row) throw fail('message.unknown')
  const { type, content, create_at, author } = authoredOf(row, presence)
  return { id: row.id, rong_id: row.id, type, content, create_at, author, can_jump: true }
}
