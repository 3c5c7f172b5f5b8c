/** The shape of a private message on the wire, and its events to both people. protocol.md §3.3 and §4.8. */
import type { PrivateMessage } from '@guildhall/wire/chat/chat.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { imageNameOf } from '@guildhall/wire/message/attachment.ts'
import { kindNumber } from '@guildhall/wire/message/kind.ts'
import { publicAttachments, publicQuote } from '@guildhall/wire/message/public.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import type { Db } from '../kit/db.ts'
import type { Emit, Live } from '../kit/events.ts'
import { EDITABLE, quoteOf } from '../message/message.ts'
import { authorOf, type Face } from '../user/user.ts'
import { type PrivateRow, table } from './sql.ts'

type Online = Pick<Live, 'presence'>

/** An author outside of a guild, without nickname and roles. protocol.md §3.3. */
export const privateAuthorOf = (face: Face, live: Online) =>
  authorOf({ ...face, nickname: null, roles: [] }, live)

/** A stored message as one of the two reads it. */
export function messageOf(
  row: PrivateRow,
  live: Online,
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
    author: publicUser(privateAuthorOf({ ...row, id: row.author_id }, live)),
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

/**
 * A message of a conversation as a quote.
 * @throws Failure message.unknown
 */
export async function quoteIn(
  live: Online,
  db: Db,
  userId: UserId,
  code: string,
  id: string,
): Promise<object> {
  const row = await table.byId(db, userId, code, id)
  if (!row) throw fail('message.unknown')
  const author = privateAuthorOf({ ...row, id: row.author_id }, live)
  return quoteOf({ ...row, type: kindNumber(row.kind, 'specification'), author })
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
