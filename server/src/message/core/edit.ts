/** Editing and deleting a message, in any kind of conversation. protocol.md §4.7 and §4.8. */
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { clock } from '../../kit/clock.ts'
import type { Tx } from '../../kit/database/db.ts'
import { type AppContext, commit } from '../../kit/events/events.ts'
import { requireAllowed } from '../../kit/screening.ts'
import { cardContent, type FetchPicture } from '../card/card.ts'
import { EDITABLE, textContent } from '../content.ts'
import { quoteWithPictures } from '../media/storedPictures.ts'
import { heldOf } from '../screenedTexts.ts'
import type { Deleting, Editing, Locked, Locking } from './conversation.ts'

export interface EditInput {
  readonly msgId: MessageId
  readonly content: string
  /** Undefined keeps the quote, `''` removes it. */
  readonly quote: string | undefined
  /** The public address of the server, in front of those of files. */
  readonly origin: string
  /** How a card's pictures of the web are fetched; without it none are. */
  readonly fetchPicture?: FetchPicture | undefined
}

export interface Edited {
  /** The message's revision from now on. */
  readonly revision: number
  /** What was stored; null when nothing changed. */
  readonly stored: { readonly id: MessageId; readonly kind: MessageKind; readonly content: string } | null
}

/**
 * Replaces the content of one's own message; names and mentions are resolved anew. The same content and quote
 * again change nothing.
 * @throws Failure message.unknown (also the quoted one), message.not_author, message.not_allowed
 *   (detail.why), message.kind_refused, message.empty, message.too_long, card.invalid (detail.at,
 *   detail.why), asset.unknown, bad_json, content.refused, and what the conversation refuses with
 */
export async function editMessage<L extends Locked, Mentions>(
  appContext: AppContext,
  conversation: Locking<L> & Editing<L, Mentions>,
  userId: UserId,
  input: EditInput,
): Promise<Edited> {
  // Fetching pictures may take seconds: before the transaction.
  const cards = (await conversation.mayEditCard(appContext.db, userId, input.msgId))
    ? await cardContent(appContext, userId, input)
    : null
  if (appContext.screening?.isOn)
    await requireAllowedEdit(appContext, conversation.target, userId, cards, input.content)
  const edited = await commit(appContext, async (tx, emit) => {
    const locked = await lockExisting(tx, conversation, userId, input.msgId)
    const { row } = locked
    if (row.author_id !== userId) throw fail('message.not_author')
    await conversation.requireMayWrite(tx, userId, locked)
    if (!EDITABLE.has(row.kind)) throw fail('message.kind_refused')
    const content = row.kind === 'card' ? cards : textContent(input.content, row.kind)
    // The caller might edit it only now, after the cards were not prepared.
    if (content === null) throw fail('message.unknown')
    await conversation.requireMayEdit?.(tx, locked)

    const keepsQuote = input.quote === undefined || input.quote === quotedId(row.quote)
    if (!conversation.appliesUnchanged && content === row.content && keepsQuote)
      return { revision: await conversation.revisionOf(tx, row.id), stored: null }
    const mentions = await conversation.resolveMentions(tx, userId, locked, content, input.origin)
    const stopped = await conversation.stopped?.(locked, content, mentions)
    // Nothing is written yet; what rules do beside is done once the message is unlocked.
    if (stopped) return stopped
    const isAsked = input.quote && (!keepsQuote || conversation.checksKeptQuote)
    const asked = isAsked ? await conversation.quote(tx, userId, locked, input.quote) : null
    const quote = keepsQuote ? quoteWithPictures(row.quote, appContext) : asked
    const revision = await conversation.applyEdit(tx, emit, locked, {
      content,
      mentions,
      quote,
      now: clock.now(),
    })
    return { revision, stored: { id: row.id, kind: row.kind, content } }
  })
  if (!('act' in edited)) return edited
  await edited.act()
  throw edited.failure
}

/**
 * An edit cannot wait for staff. Asking may take seconds: before the transaction. @throws Failure
 * content.refused
 */
const requireAllowedEdit = (
  appContext: AppContext,
  target: 'channel' | 'private',
  userId: UserId,
  cards: string | null,
  content: string,
): Promise<void> => {
  const { texts, files } = heldOf(
    { kind: cards === null ? 'kmarkdown' : 'card', content: cards ?? content },
    null,
  )
  return requireAllowed(appContext, { target, userId, texts, files })
}

const quotedId = (quote: unknown): string => (quote as { id: string } | null)?.id ?? ''

/**
 * Deletes a message for everybody. A second time nothing happens.
 * @throws Failure message.unknown, and what the conversation refuses with
 */
export function deleteMessage<L extends Locked>(
  appContext: AppContext,
  conversation: Locking<L> & Deleting<L>,
  userId: UserId,
  msgId: MessageId,
): Promise<void> {
  return commit(appContext, async (tx, emit) => {
    const locked = await conversation.lock(tx, userId, msgId)
    if (!locked) throw fail('message.unknown')
    conversation.requireMayDelete(userId, locked)
    if (!locked.row.is_deleted) await conversation.applyDelete(tx, emit, userId, locked, clock.now())
  })
}

/**
 * Locks a message that is not deleted.
 * @throws Failure message.unknown
 */
export async function lockExisting<L extends Locked>(
  tx: Tx,
  conversation: Pick<Locking<L>, 'lock'>,
  userId: UserId,
  msgId: MessageId,
): Promise<L> {
  const locked = await conversation.lock(tx, userId, msgId)
  if (!locked || locked.row.is_deleted) throw fail('message.unknown')
  return locked
}
