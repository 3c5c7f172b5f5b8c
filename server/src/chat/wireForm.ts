/** The shape of a private message on the wire, and its events to both people. protocol.md §3.3 and §4.8. */
import { readCards, writeCards } from '@guildhall/wire/card/card.ts'
import type { FileModule, Image } from '@guildhall/wire/card/node.ts'
import { withFiles } from '@guildhall/wire/card/textOfCards.ts'
import type { PrivateMessage } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { imageNameOf, mediaKinds } from '@guildhall/wire/message/attachment.ts'
import { kindNumber, kindOf, type MessageKind } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { publicAttachments, publicQuote } from '@guildhall/wire/message/public.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext, Emit } from '../kit/events/events.ts'
import { EDITABLE, quoteOf, quoteWithPictures, withPictures } from '../message/message.ts'
import { authorOf, type Identity } from '../user/user.ts'
import { type PrivateRow, table } from './sql.ts'

type Online = Pick<AppContext, 'presence' | 'publicUrl'>

/** What private conversations need: files in them have signed addresses. */
export interface ChatContext extends AppContext {
  readonly addresses: FileAddresses
}

interface Shown {
  readonly kind: MessageKind
  readonly content: string
  readonly attachments: unknown
  readonly quote: unknown
}

/**
 * A message with signatures in the addresses of its files: of those that the server checked when it was sent,
 * not of addresses in a text. Stored messages have none.
 */
export function withSignedFiles<S extends Shown>(addresses: FileAddresses, message: S): S {
  return {
    ...message,
    content: signedContent(addresses, message.kind, message.content),
    attachments: signedFields(addresses, message.attachments),
    quote: signedQuote(addresses, message.quote),
  }
}

function signedContent({ signed }: FileAddresses, kind: MessageKind | null, content: string): string {
  if (kind !== null && kind in mediaKinds) return signed(content)
  if (kind !== 'card') return content
  const read = readCards(content)
  if ('broken' in read) return content
  const image = (shown: Image): Image => ({ ...shown, src: signed(shown.src) })
  const file = <M extends FileModule>(module: M): M => ({
    ...module,
    src: signed(module.src),
    ...(module.cover !== undefined && { cover: signed(module.cover) }),
  })
  return writeCards(withFiles(read.cards, { image, file }))
}

const ADDRESSES = ['url', 'fileUrl', 'cover'] as const

function signedFields({ signed }: FileAddresses, attachments: unknown): unknown {
  if (typeof attachments !== 'object' || attachments === null) return attachments
  const all = attachments as Record<string, unknown>
  const fields = ADDRESSES.flatMap((name) =>
    typeof all[name] === 'string' ? [[name, signed(all[name])] as const] : [],
  )
  return { ...all, ...Object.fromEntries(fields) }
}

function signedQuote(addresses: FileAddresses, quote: unknown): unknown {
  if (typeof quote !== 'object' || quote === null) return quote
  const { type, content } = quote as { type?: unknown; content?: unknown }
  // The quoted message was deleted, or there is nothing in it to sign.
  if (typeof type !== 'number' || typeof content !== 'string' || content === '') return quote
  return { ...quote, content: signedContent(addresses, kindOf(type, 'specification') ?? null, content) }
}

/** An author outside of a guild, without nickname and roles. protocol.md §3.3. */
export const privateAuthorOf = (identity: Identity, appContext: Online) =>
  authorOf({ ...identity, nickname: null, roles: [] }, appContext)

/** A stored message with addresses that can be opened: of its files, and of the pictures of people. */
const readable = (stored: PrivateRow, appContext: Online & Pick<ChatContext, 'addresses'>): PrivateRow =>
  withSignedFiles(appContext.addresses, {
    ...stored,
    kmarkdown: withPictures(stored.kmarkdown, appContext),
    quote: quoteWithPictures(stored.quote, appContext) as PrivateRow['quote'],
  })

/** A stored message as one of the two reads it. */
export function messageOf(
  stored: PrivateRow,
  appContext: Online & Pick<ChatContext, 'addresses'>,
  reader: { readonly userId: UserId; readonly readSeq: number },
): PrivateMessage {
  const row = readable(stored, appContext)
  const isMine = row.author_id === reader.userId
  return {
    id: row.id,
    rong_id: row.id,
    chat_code: row.chat_code,
    type: kindNumber(row.kind, 'public'),
    content: row.content,
    author_id: row.author_id,
    author: publicUser(privateAuthorOf({ ...row, id: row.author_id }, appContext)),
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

/** `conversationType` of a person's chat. chat.md §3. */
const WITH_PERSON = 1

/**
 * The same in the shape of channels' messages, for pages: the chat's code is its channel, and it has no
 * guild.
 */
export function roomMessageOf(
  stored: PrivateRow,
  appContext: Online & Pick<ChatContext, 'addresses'>,
): Message {
  const row = readable(stored, appContext)
  return {
    id: row.id,
    rong_id: row.id,
    channel_id: row.chat_code as ChannelId,
    guild_id: '' as GuildId,
    targetId: row.chat_code,
    conversationType: WITH_PERSON,
    seq: row.seq,
    type: kindNumber(row.kind, 'specification'),
    content: row.content,
    create_at: row.create_at,
    updated_at: row.updated_at,
    author: privateAuthorOf({ ...row, id: row.author_id }, appContext),
    nonce: row.nonce,
    kmarkdown: row.kmarkdown,
    mention: row.mention,
    mention_all: false,
    mention_here: false,
    mention_roles: [],
    quote: row.quote ?? null,
    attachments: row.attachments ?? null,
    embeds: [],
    reactions: row.reactions,
    image_name: row.kind === 'image' ? imageNameOf(kindNumber('image', 'specification'), row.content) : '',
    revision: row.revision,
    is_pinned: false,
  }
}

/**
 * A message of a conversation as a quote.
 * @throws Failure message.unknown
 */
export async function quoteIn(
  appContext: Online,
  db: Db,
  userId: UserId,
  code: string,
  id: string,
): Promise<object> {
  const row = await table.byId(db, userId, code, id)
  if (!row) throw fail('message.unknown')
  const author = privateAuthorOf({ ...row, id: row.author_id }, appContext)
  return quoteOf({
    ...row,
    kmarkdown: withPictures(row.kmarkdown, appContext),
    type: kindNumber(row.kind, 'specification'),
    author,
  })
}

/** Emits an event to both people of a conversation. */
export function emitBoth<E extends Parameters<Emit['person']>[1]>(
  emit: Emit,
  userId: UserId,
  targetId: UserId,
  kind: E,
  body: Parameters<typeof emit.person<E>>[2],
): void {
  emit.person(userId, kind, body)
  emit.person(targetId, kind, body)
}
