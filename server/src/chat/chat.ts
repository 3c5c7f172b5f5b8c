/**
 * What two people say to each other outside of guilds: who may, and what happens to it. Each message and each change is an
 * event of both, in their own order. protocol.md §3.3, §4.8 and §4.9.
 */
import {
  CHAT_UNREAD_MAX,
  type Chat,
  type PrivateMessage,
  privateDeleted,
  privateReacted,
  privateUnreacted,
  privateUpdated,
} from '@guildhall/wire/chat/chat.ts'
import type { PrivateSaid } from '@guildhall/wire/chat/event.ts'
import { event } from '@guildhall/wire/event.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { mentionsIn, parse, plain } from '@guildhall/wire/kmarkdown/kmarkdown.ts'
import { mentionWords } from '@guildhall/wire/kmarkdown/text.ts'
import { REACTIONS_MAX } from '@guildhall/wire/message/act.ts'
import { imageNameOf, type VideoLooks } from '@guildhall/wire/message/attachment.ts'
import { kindNumber, type MessageKind } from '@guildhall/wire/message/kind.ts'
import type { KmarkdownPart } from '@guildhall/wire/message/message.ts'
import { publicAttachments, publicQuote } from '@guildhall/wire/message/public.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import { z } from '@guildhall/wire/schema.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { usableEmoji } from '../emoji/emoji.ts'
import { shareGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/db.ts'
import { commit, type Emit, type Live } from '../kit/events.ts'
import { ids } from '../kit/ids.ts'
import type { Presence } from '../kit/presence.ts'
import {
  cardContent,
  cardNodes,
  EDITABLE,
  emojiOf,
  type FetchPicture,
  fileOf,
  maySendCards,
  ownEmojiOf,
  rawWords,
  SENDABLE,
  wordsOf,
} from '../message/message.ts'
import { authorOf, type Face, faceOf, findUser } from '../user/user.ts'
import * as rows from './sql.ts'

/** Its event is a message and no system event: the line writes it as one. */
const said = event('message', 'person', z.custom<PrivateSaid>())

function chatOf(row: rows.SideRow, presence: Presence): Chat {
  return {
    code: row.code,
    last_read_time: row.read_at,
    latest_msg_time: row.last_at,
    unread_count: row.unread,
    is_friend: false,
    is_blocked: false,
    is_target_blocked: false,
    target_info: publicUser(faceOf(row, presence)),
  }
}

/** Nobody has a nickname or roles outside of a guild. protocol.md §3.3. */
const authorAlone = (face: Face, presence: Presence) =>
  authorOf({ ...face, nickname: null, roles: [] }, presence)

function messageOf(
  row: rows.PrivateRow,
  presence: Presence,
  reader: { readonly userId: UserId; readonly readSeq: number },
): PrivateMessage {
  const isMine = row.author_id === reader.userId
  return {
    id: row.id,
    rong_id: row.id,
    chat_code: row.chat_code,
    type: kindNumber(row.kind, 'public'),
    content: row.content,
    author_id: row.author_id,
    author: publicUser(authorAlone({ ...row, id: row.author_id }, presence)),
    nonce: row.nonce,
    mention: row.mention,
    mention_all: false,
    mention_here: false,
    mention_roles: [],
    mention_info: row.kmarkdown,
    quote: publicQuote(row.quote),
    attachments: publicAttachments(row.attachments),
    embeds: [],
    reactions: row.reactions,
    create_at: row.create_at,
    updated_at: row.updated_at,
    image_name: row.kind === 'image' ? imageNameOf(kindNumber('image', 'specification'), row.content) : '',
    read_status: isMine || row.seq <= reader.readSeq,
    editable: isMine && EDITABLE.has(row.kind),
    from_type: 1,
    msg_icon: '',
    seq: row.seq,
    revision: row.revision,
  }
}

/** A page of a person's conversations, the liveliest first. protocol.md §1.5. */
export async function listChats(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: { readonly page: number; readonly size: number },
) {
  const limit = Math.min(it.size, LIST_SIZE_MAX)
  const offset = (it.page - 1) * limit
  const { sides, total } = await rows.list(db, userId, { limit, offset, unreadMax: CHAT_UNREAD_MAX })
  return {
    items: sides.map((row) => chatOf(row, presence)),
    meta: { page: it.page, page_total: Math.ceil(total / limit), page_size: limit, total },
    sort: {},
  }
}

async function sideOf(db: Db, userId: UserId, code: string): Promise<rows.SideRow> {
  const side = await rows.side(db, userId, code, CHAT_UNREAD_MAX)
  if (!side) throw fail('chat.unknown')
  return side
}

/**
 * One of a person's conversations.
 * @throws Failure chat.unknown, also when it is that of two others
 */
export const viewChat = async (db: Db, presence: Presence, userId: UserId, code: string): Promise<Chat> =>
  chatOf(await sideOf(db, userId, code), presence)

/** May they write to each other now? Whether the other exists is not told. */
async function mustShareGuild(db: Db, userId: UserId, targetId: string): Promise<void> {
  if (userId === targetId || !(await shareGuild(db, userId, targetId))) throw fail('chat.not_allowed')
}

/**
 * The conversation with somebody, begun when there is none, and back in the caller's list.
 * @throws Failure chat.not_allowed
 */
export async function createChat(
  live: Live,
  presence: Presence,
  userId: UserId,
  targetId: UserId,
): Promise<Chat> {
  const code = await codeWith(live, userId, targetId)
  await rows.show(live.db, userId, code)
  return viewChat(live.db, presence, userId, code)
}

async function codeWith(live: Live, userId: UserId, targetId: UserId): Promise<string> {
  const known = await rows.between(live.db, userId, targetId)
  if (known) return known
  await mustShareGuild(live.db, userId, targetId)
  const code = ids.uuid().replaceAll('-', '')
  return commit(live, (tx) => rows.open(tx, { code, userId, targetId, now: clock.now() }))
}

/**
 * Puts a conversation out of a person's list until the next message.
 * @throws Failure chat.unknown
 */
export async function hideChat(db: Db, userId: UserId, code: string): Promise<void> {
  await sideOf(db, userId, code)
  await rows.hide(db, userId, code)
}

/** A conversation by its code, or by whom it is with. */
export interface With {
  readonly code: string | undefined
  readonly targetId: UserId | undefined
}

/** @throws Failure chat.unknown, chat.not_allowed, bad_input (neither is given) */
async function codeOf(live: Live, userId: UserId, { code, targetId }: With): Promise<string> {
  if (code !== undefined) return code
  if (targetId === undefined) throw fail('bad_input', { fields: ['chat_code', 'target_id'] })
  return codeWith(live, userId, targetId)
}

/**
 * Messages of a conversation, oldest first. Asking for the newest reads them. protocol.md §4.8.
 * @throws Failure chat.unknown, chat.not_allowed, message.unknown (no such anchor)
 */
export async function list(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: With & {
    readonly anchor: string | undefined
    readonly flag: 'before' | 'around' | 'after'
    readonly limit: number
  },
): Promise<PrivateMessage[]> {
  const { db } = live
  const code = await codeOf(live, userId, it)
  const side = await sideOf(db, userId, code)
  const found = await around(db, userId, code, it)
  const newest = found.at(-1)
  if (it.anchor === undefined && newest)
    await rows.markRead(db, userId, { code, seq: newest.seq, now: clock.now() })
  return found.map((row) => messageOf(row, presence, { userId, readSeq: side.read_seq }))
}

async function around(
  db: Db,
  userId: string,
  code: string,
  it: { readonly anchor: string | undefined; readonly flag: string; readonly limit: number },
): Promise<rows.PrivateRow[]> {
  if (it.anchor === undefined) return rows.page(db, userId, code, null, it.limit)
  const seq = await rows.seqOf(db, code, it.anchor)
  if (seq === null) throw fail('message.unknown')
  if (it.flag === 'before') return rows.page(db, userId, code, seq, it.limit)
  if (it.flag === 'after') return rows.pageAfter(db, userId, code, seq, it.limit)
  const until = Math.ceil(it.limit / 2)
  const before = await rows.page(db, userId, code, seq + 1, until)
  const after = it.limit > until ? await rows.pageAfter(db, userId, code, seq, it.limit - until) : []
  return [...before, ...after]
}

/**
 * One message.
 * @throws Failure chat.unknown, message.unknown
 */
export async function view(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: { readonly code: string; readonly msgId: MessageId },
): Promise<PrivateMessage> {
  const side = await sideOf(db, userId, it.code)
  const row = await rows.byId(db, userId, it.code, it.msgId)
  if (!row) throw fail('message.unknown')
  return messageOf(row, presence, { userId, readSeq: side.read_seq })
}

/** What somebody says to another, as it came through the door. */
export interface Said {
  readonly content: string
  /** Null names a kind that nobody knows. */
  readonly kind: MessageKind | null
  readonly quote?: string | undefined
  /** Of a video: what its sender says it looks like. */
  readonly looks?: VideoLooks | undefined
  readonly nonce: string
  /** The address people use, in front of those of files. */
  readonly origin: string
  readonly fetchPicture?: FetchPicture | undefined
}

/** What the caller learns of a message they sent. */
export interface Sent {
  readonly id: MessageId
  /** ms */
  readonly at: number
  readonly nonce: string
}

/**
 * Says something to somebody; answers after the commit. A nonce used before by the same author in the same conversation
 * answers with the first message; one that was deleted does not come back.
 * @throws Failure chat.unknown, chat.not_allowed, message.not_allowed (detail.why: unverified), message.empty,
 *   message.too_long, message.kind_refused, message.unknown (the quoted one), message.deleted, card.invalid (detail.at,
 *   detail.why), asset.unknown, bad_json, bad_input
 */
export async function send(live: Live, presence: Presence, userId: UserId, it: With & Said): Promise<Sent> {
  const { db } = live
  const { kind, nonce, origin } = it
  const author = await mayWrite(db, userId)
  if (!kind || !SENDABLE.has(kind) || (kind === 'card' && !maySendCards(author)))
    throw fail('message.kind_refused')
  // Cards sent again may be refused by now, their countdown being over, and their pictures are not fetched twice.
  const first = kind === 'card' && nonce ? await sentBefore(db, userId, it) : null
  if (first) return first
  const typed = await contentOf(db, userId, kind, it)
  const code = await codeOf(live, userId, it)
  const side = await sideOf(db, userId, code)
  await mustShareGuild(db, userId, side.id)
  const media = await fileOf(db, userId, { kind, content: typed, origin, looks: it.looks })
  const content = media?.content ?? typed
  const resolved = media
    ? nothingMentioned(media.words)
    : await resolve(db, userId, kind, content, [author, side])

  return commit(live, async (tx, emit) => {
    await rows.hold(tx, code)
    const known = await firstOf(tx, code, userId, nonce)
    if (known) return known
    const quote = it.quote ? await quoteOf(tx, presence, userId, code, it.quote) : null
    const { seq, at } = await rows.next(tx, code, clock.now())
    const id = ids.uuid() as MessageId
    const attachments = media?.attachments ?? null
    const common = {
      id,
      chat_code: code,
      kind,
      content,
      nonce,
      seq,
      create_at: at,
      quote,
      attachments,
      ...resolved,
    }
    await rows.add(tx, { ...common, author_id: userId })
    tellBoth(emit, userId, side.id, said, {
      ...common,
      target_id: side.id,
      author: authorAlone(author, presence),
    })
    return { id, at, nonce }
  })
}

/** What a person sent under a nonce before; null when nothing. @throws Failure message.deleted */
async function firstOf(db: Db, code: string, userId: UserId, nonce: string): Promise<Sent | null> {
  const first = await rows.byNonce(db, code, userId, nonce)
  if (first?.is_deleted) throw fail('message.deleted')
  return first && { id: first.id, at: first.create_at, nonce }
}

/** The same, in a conversation that there may not be yet. */
async function sentBefore(db: Db, userId: UserId, it: With & Said): Promise<Sent | null> {
  const code = it.code ?? (it.targetId ? await rows.between(db, userId, it.targetId) : null)
  return code ? firstOf(db, code, userId, it.nonce) : null
}

function tellBoth<E extends Parameters<Emit['person']>[1]>(
  emit: Emit,
  userId: UserId,
  targetId: UserId,
  kind: E,
  body: Parameters<typeof emit.person<E>>[2],
): void {
  emit.person(userId, kind, body)
  emit.person(targetId, kind, body)
}

/** As in guilds, people write with a verified number alone; bots count as verified. */
async function mayWrite(db: Db, userId: UserId) {
  const user = await findUser(db, userId)
  if (!user?.mobile_verified) throw fail('message.not_allowed', { why: 'unverified' })
  return user
}

interface Resolved {
  readonly mention: UserId[]
  readonly kmarkdown: KmarkdownPart
}

/** More of guilds' emoji than this in one message are not looked up. */
const EMOJI_NAMED_MAX = 100

const nothingMentioned = (raw_content: string): Resolved => ({
  mention: [],
  kmarkdown: { raw_content, mention_part: [], mention_role_part: [], channel_part: [], item_part: [] },
})

/** What may be stored of what somebody says. */
const contentOf = async (
  db: Db,
  userId: UserId,
  kind: MessageKind,
  it: Pick<Said, 'content' | 'origin' | 'fetchPicture'>,
): Promise<string> => (kind === 'card' ? cardContent(db, userId, it) : wordsOf(it.content, kind))

/** Only the two can be called on, and there are no roles or channels between them. */
async function resolve(
  db: Db,
  userId: UserId,
  kind: MessageKind,
  content: string,
  two: readonly Face[],
): Promise<Resolved> {
  if (kind !== 'kmarkdown' && kind !== 'card') return nothingMentioned(content)
  const nodes = kind === 'card' ? cardNodes(content) : parse(content)
  const ids = mentionsIn(nodes)
  const called = new Set(ids.users)
  const emoji = await usableEmoji(db, userId, ids.emoji.slice(0, EMOJI_NAMED_MAX))
  const mentioned = two.filter(({ id }) => called.has(id))
  const raw = plain(nodes, {
    user: (id) => mentioned.find((each) => each.id === id)?.username ?? null,
    role: () => null,
    channel: () => null,
    emojiName: (id) => emoji.get(id)?.name ?? null,
    words: mentionWords.zh,
  })
  const mention_part = mentioned.map(({ id, username, identify_num, avatar }) => ({
    ...{ id, username, avatar },
    full_name: `${username}#${identify_num}`,
  }))
  return {
    mention: mentioned.map(({ id }) => id),
    kmarkdown: {
      ...nothingMentioned(rawWords(kind, raw)).kmarkdown,
      mention_part,
      ...(emoji.size > 0 && { emoji_part: [...emoji.values()] }),
    },
  }
}

/** The quoted message as it stands inside the one that quotes it. protocol.md §5.6. */
async function quoteOf(
  tx: Tx,
  presence: Presence,
  userId: UserId,
  code: string,
  id: string,
): Promise<object> {
  const row = await rows.byId(tx, userId, code, id)
  if (!row) throw fail('message.unknown')
  return {
    ...{ id, rong_id: id, content: row.content, create_at: row.create_at, can_jump: true },
    type: kindNumber(row.kind, 'specification'),
    author: authorAlone({ ...row, id: row.author_id }, presence),
  }
}

/** A message that is there, held; as if it were not for whoever is none of the two. */
async function held(tx: Tx, userId: UserId, msgId: MessageId): Promise<rows.HeldRow> {
  const row = await rows.holdMessage(tx, userId, msgId)
  if (!row || row.is_deleted) throw fail('message.unknown')
  return row
}

/**
 * Says one's own message anew. The same words again change nothing.
 * @throws Failure message.unknown (also the quoted one), message.not_author, message.not_allowed, chat.not_allowed,
 *   message.kind_refused, message.empty, message.too_long, card.invalid (detail.at, detail.why), asset.unknown
 */
export async function edit(
  live: Live,
  presence: Presence,
  userId: UserId,
  it: {
    readonly msgId: MessageId
    readonly content: string
    readonly quote: string | undefined
    readonly origin: string
    readonly fetchPicture?: FetchPicture | undefined
  },
): Promise<void> {
  const cards = await cardsAnew(live.db, userId, it)
  await commit(live, async (tx, emit) => {
    const row = await held(tx, userId, it.msgId)
    if (row.author_id !== userId) throw fail('message.not_author')
    const author = await mayWrite(tx, userId)
    await mustShareGuild(tx, userId, row.target_id)
    if (!EDITABLE.has(row.kind)) throw fail('message.kind_refused')
    const content = row.kind === 'card' ? cards : wordsOf(it.content, row.kind)
    // It was theirs to change a moment later only.
    if (content === null) throw fail('message.unknown')

    const before = (row.quote as { id: string } | null)?.id ?? ''
    const keepsQuote = it.quote === undefined || it.quote === before
    if (content === row.content && keepsQuote) return
    const target = await findUser(tx, row.target_id)
    const resolved = await resolve(tx, userId, row.kind, content, target ? [author, target] : [author])
    const newQuote = it.quote ? await quoteOf(tx, presence, userId, row.chat_code, it.quote) : null
    const quote = keepsQuote ? (row.quote ?? null) : newQuote
    const now = clock.now()
    const revision = await rows.change(tx, row.id, { ...resolved, content, quote, now })
    tellBoth(emit, userId, row.target_id, privateUpdated, {
      ...{ msg_id: row.id, chat_code: row.chat_code, author_id: userId, target_id: row.target_id },
      ...{ content, quote, updated_at: now, kmarkdown: resolved.kmarkdown, revision },
      attachments: row.attachments ?? null,
    })
  })
}

/** New cards of one's own message, ready to be stored; null when it has none that this person may change now. */
async function cardsAnew(
  db: Db,
  userId: UserId,
  it: Pick<Said, 'content' | 'origin' | 'fetchPicture'> & { readonly msgId: MessageId },
): Promise<string | null> {
  const own = await rows.ownMessage(db, userId, it.msgId)
  if (own?.kind !== 'card' || !(await shareGuild(db, userId, own.target_id))) return null
  await mayWrite(db, userId)
  return cardContent(db, userId, it)
}

/**
 * Removes one's own message for both. Again: nothing happens.
 * @throws Failure message.unknown, message.not_author
 */
export function remove(live: Live, userId: UserId, msgId: MessageId): Promise<void> {
  return commit(live, async (tx, emit) => {
    const row = await rows.holdMessage(tx, userId, msgId)
    if (!row) throw fail('message.unknown')
    if (row.author_id !== userId) throw fail('message.not_author')
    if (row.is_deleted) return

    const now = clock.now()
    await rows.remove(tx, row.id, now)
    tellBoth(emit, userId, row.target_id, privateDeleted, {
      ...{ msg_id: row.id, chat_code: row.chat_code, author_id: userId, target_id: row.target_id },
      deleted_at: now,
    })
  })
}

/**
 * Reacts; a second time nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.not_allowed, chat.not_allowed, message.reactions_full
 */
export function react(
  live: Live,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string },
): Promise<void> {
  return commit(live, async (tx, emit) => {
    const emoji = await ownEmojiOf(tx, userId, it.emoji)
    const row = await held(tx, userId, it.msgId)
    await mayWrite(tx, userId)
    await mustShareGuild(tx, userId, row.target_id)
    const there = await rows.emojiOn(tx, row.id)
    if (!there.has(emoji.id) && there.size >= REACTIONS_MAX) throw fail('message.reactions_full')
    if (!(await rows.react(tx, { id: row.id, emoji, userId, now: clock.now() }))) return
    const body = { msg_id: row.id, chat_code: row.chat_code, user_id: userId, emoji }
    tellBoth(emit, userId, row.target_id, privateReacted, body)
  })
}

/**
 * Takes one's own reaction back; without one nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.no_right (somebody else's)
 */
export function unreact(
  live: Live,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string; readonly ofUser: UserId | undefined },
): Promise<void> {
  const emoji = emojiOf(it.emoji)
  return commit(live, async (tx, emit) => {
    const row = await held(tx, userId, it.msgId)
    if (it.ofUser !== undefined && it.ofUser !== userId) throw fail('message.no_right')
    const name = await rows.unreact(tx, row.id, emoji.id, userId)
    if (name === null) return
    const body = { msg_id: row.id, chat_code: row.chat_code, user_id: userId, emoji: { id: emoji.id, name } }
    tellBoth(emit, userId, row.target_id, privateUnreacted, body)
  })
}

/**
 * Who reacted with an emoji, or with any; the first ones first.
 * @throws Failure message.unknown, message.emoji_unknown
 */
export async function reactors(
  db: Db,
  presence: Presence,
  userId: UserId,
  it: { readonly msgId: MessageId; readonly emoji: string | undefined },
) {
  const emojiId = it.emoji === undefined ? null : emojiOf(it.emoji).id
  const found = await rows.reactors(db, userId, it.msgId, emojiId)
  if (!found) throw fail('message.unknown')
  return found.map((row) => ({ ...publicUser(faceOf(row, presence)), reaction_time: row.reaction_time }))
}
