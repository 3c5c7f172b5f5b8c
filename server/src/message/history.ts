/** Reading the messages of a channel. chat.md §4, protocol.md §4.7. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { publicAttachments, publicQuote, publicType } from '@guildhall/wire/message/public.ts'
import { publicUser } from '@guildhall/wire/user/public.ts'
import { type ChannelAccess, channelAccess, requireView, textChannelsOf } from '../channel/channel.ts'
import type { Db } from '../kit/database/db.ts'
import { readAnywhere } from '../kit/database/replica.ts'
import type { AppContext } from '../kit/events/events.ts'
import { EDITABLE } from './content.ts'
import { type HistoryQuery, historyRows } from './core/history.ts'
import { quoteOf } from './core/quote.ts'
import type { MessageTable } from './core/table.ts'
import { readableIn, type SignedIn } from './media/signedFiles.ts'
import { byIds } from './sql/activity.ts'
import { type AuthoredRow, positionOf, table } from './sql/message.ts'
import { pinned } from './sql/pin.ts'
import { readSeq, readSeqs } from './sql/readMark.ts'
import { messageOf } from './wireForm.ts'

type ChannelQuery = HistoryQuery & { readonly conversationId: ChannelId }

/**
 * A page of a channel's history, oldest first, with today's names of the authors.
 * @throws Failure forbidden, message.unknown (no such anchor in this channel)
 */
export async function history(
  appContext: AppContext,
  userId: UserId,
  input: ChannelQuery,
): Promise<Message[]> {
  const access = await requireView(appContext.db, userId, input.conversationId)
  const page = await readAnywhere(appContext, (db) => historyRows(db, table, userId, input))
  return page.map((row) => readableIn(appContext, access)(messageOf(row, appContext)))
}

/**
 * The same for v3 calls; with `pin` the pinned messages alone.
 * @throws Failure forbidden, message.unknown (no such anchor in this channel)
 */
export async function list(
  appContext: AppContext,
  userId: UserId,
  input: ChannelQuery & { readonly pin: boolean },
) {
  const access = await requireView(appContext.db, userId, input.conversationId)
  const found = input.pin
    ? await pinned(appContext.db, userId, input.conversationId, input.limit)
    : await readAnywhere(appContext, (db) => historyRows(db, table, userId, input))
  const read = await readSeq(appContext.db, userId, input.conversationId)
  return found.map((row) => listed(row, appContext, access, { userId, readSeq: read }))
}

/**
 * One message, for v3 calls.
 * @throws Failure message.unknown
 */
export async function view(appContext: AppContext, userId: UserId, msgId: MessageId) {
  const access = await requireSees(appContext.db, userId, msgId)
  const { id } = access.channel
  const row = await table.byId(appContext.db, userId, id, msgId)
  if (!row) throw fail('message.unknown')
  return listed(row, appContext, access, { userId, readSeq: await readSeq(appContext.db, userId, id) })
}

/**
 * A person's access to the channel of a message that they may view.
 * @throws Failure message.unknown
 */
export async function requireSees(db: Db, userId: UserId, msgId: MessageId): Promise<ChannelAccess> {
  const position = await positionOf(db, msgId)
  const access = position && (await channelAccess(db, userId, position.channel_id))
  if (!position || !access?.canView) throw fail('message.unknown')
  return access
}

/** A message, and those before and after it, all oldest first. */
export interface MessageAround<Row> {
  readonly row: Row
  readonly before: Row[]
  readonly after: Row[]
}

/**
 * A message of a channel that this person may view, with at most `most` before it and after it. Null: they
 * see none of this id.
 */
export async function seenAround(
  db: Db,
  userId: UserId,
  msgId: MessageId,
  most: number,
): Promise<MessageAround<AuthoredRow> | null> {
  const position = await positionOf(db, msgId)
  const access = position && (await channelAccess(db, userId, position.channel_id))
  return position && access?.canView
    ? messageAround(db, table, userId, position.channel_id, msgId, most)
    : null
}

/** The same in a conversation that they see. */
export async function messageAround<Row>(
  db: Db,
  of: MessageTable<Row>,
  userId: UserId,
  conversationId: string,
  msgId: MessageId,
  most: number,
): Promise<MessageAround<Row> | null> {
  const row = await of.byId(db, userId, conversationId, msgId)
  if (!row) return null
  const query = { conversationId, anchor: msgId, limit: most }
  return {
    row,
    before: await historyRows(db, of, userId, { ...query, flag: 'before' }),
    after: await historyRows(db, of, userId, { ...query, flag: 'after' }),
  }
}

/**
 * Messages as a search answers them, by their ids, each with its channel. What is in channels that the reader
 * may not view is left out: they are asked for last, as nobody reads what they may view no longer.
 */
export async function listedByIds(appContext: AppContext, userId: UserId, ids: readonly MessageId[]) {
  const { db } = appContext
  const found = await byIds(db, userId, ids)
  const channelIds = [...new Set(found.map(({ channel_id }) => channel_id))]
  const read = await readSeqs(db, userId, channelIds)
  const seen = new Map((await textChannelsOf(db, userId, channelIds)).seen.map((it) => [it.id, it]))
  return new Map(
    found.flatMap((row) => {
      const channel = seen.get(row.channel_id)
      if (!channel) return []
      const { isPrivate } = channel
      const reader = { userId, readSeq: read.get(row.channel_id) ?? 0 }
      return [
        [row.id, { message: listed(row, appContext, { channel, isPrivate }, reader), channel }] as const,
      ]
    }),
  )
}

/** A message of a channel, without a look at permissions; null: it is gone. */
export const messageIn = (
  db: Db,
  channelId: string,
  msgId: string,
  readerId: UserId,
): Promise<AuthoredRow | null> => table.byId(db, readerId, channelId, msgId)

/**
 * A message of a channel as a quote.
 * @throws Failure message.unknown
 */
export async function quoteIn(
  appContext: Pick<AppContext, 'presence' | 'publicUrl'>,
  db: Db,
  userId: UserId,
  channelId: ChannelId,
  id: string,
): Promise<object> {
  const row = await table.byId(db, userId, channelId, id)
  if (!row) throw fail('message.unknown')
  return quoteOf(messageOf(row, appContext))
}

/** A message as v3 calls answer it. protocol.md §5.5. */
function listed(
  row: AuthoredRow,
  appContext: AppContext,
  access: SignedIn,
  reader: { readonly userId: UserId; readonly readSeq: number },
) {
  const message = readableIn(appContext, access)(messageOf(row, appContext))
  const isMine = row.author_id === reader.userId
  return {
    ...message,
    type: publicType(message.type),
    author: publicUser(message.author),
    quote: publicQuote(message.quote),
    attachments: publicAttachments(message.attachments),
    mention_info: message.kmarkdown,
    read_status: isMine || row.seq <= reader.readSeq,
    editable: isMine && EDITABLE.has(row.kind),
  }
}
