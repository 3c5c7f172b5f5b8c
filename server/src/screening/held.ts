/** Messages that wait for staff: held, withdrawn by their author, passed or rejected. Decision 82. */

import type { ExportedHeld } from '@guildhall/wire/account/account.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { videoLooks } from '@guildhall/wire/message/attachment.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import { heldChanged } from '@guildhall/wire/moderation/event.ts'
import { z } from '@guildhall/wire/schema.ts'
import { contentReviewed } from '@guildhall/wire/screening/screening.ts'
import type { HeldWhy } from '@guildhall/wire/staff/held.ts'
import { clearDoubt, dropUnused, keepFilesFor } from '../asset/asset.ts'
import { type ChatContext, sendPrivate, sentPrivately } from '../chat/chat.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { HELD_FILES_KEPT_MS, HELD_KEPT_MS } from '../kit/retention.ts'
import type { ScreenedMessage } from '../kit/screening.ts'
import { type FetchPicture, type Media, type SendPipeline, send, sentUnder } from '../message/message.ts'
import * as rows from './sql.ts'

/** Messages of one author that may wait; further ones are refused. */
const WAITING_MAX = 100
const TRIMMED_AT_ONCE = 500

/** What sending a message later needs, as it is stored. */
export const heldInput = z.object({
  kind: z.custom<MessageKind>((kind) => typeof kind === 'string'),
  content: z.string(),
  quote: z.optional(z.string()),
  looks: z.optional(z.object(videoLooks)),
  /** A file that its author may show although it is not theirs: of a message that they forward. */
  file: z.optional(z.custom<Media>((file) => typeof file === 'object')),
  origin: z.string(),
  /** Keys of the files that it shows. */
  files: z.array(z.string()),
  /** The name of its file. */
  file_name: z.string(),
})

/** How a message was held before, if it was. @throws Failure content.held, content.rejected */
export async function refuseHeldBefore(db: Db, input: ScreenedMessage): Promise<void> {
  if (input.nonce === '') return
  const held = await rows.heldUnder(db, input.authorId, conversationOf(input), input.nonce)
  if (held?.status === rows.heldStatus.waits) throw fail('content.held')
  if (held?.status === rows.heldStatus.rejected) throw fail('content.rejected', { reason: held.reason })
}

const conversationOf = ({ to }: Pick<ScreenedMessage, 'to'>): string =>
  to.target === 'channel' ? to.channelId : to.code

/** Holds a message. @throws Failure too_many */
export async function hold(
  tx: Tx,
  input: ScreenedMessage,
  why: readonly HeldWhy[],
  /** Set: it waits for the moderators of its guild. */
  ruleId: string | null = null,
): Promise<void> {
  const { to } = input
  if ((await rows.countWaiting(tx, input.authorId)) >= WAITING_MAX) throw fail('too_many')
  await rows.addHeld(tx, {
    author_id: input.authorId,
    guild_id: to.target === 'channel' ? to.guildId : null,
    channel_id: to.target === 'channel' ? to.channelId : null,
    target_id: to.target === 'private' ? to.targetId : null,
    conversation: conversationOf(input),
    // Passing it is done once, whatever happens meanwhile: it needs a nonce.
    nonce: input.nonce || `held-${ids.uuid()}`,
    input: { ...input.input, files: input.files },
    why,
    rule_id: ruleId,
    created_at: clock.now(),
  })
  await keepFilesFor(tx, input.files, HELD_FILES_KEPT_MS)
}

/** How own held messages stand; those that are not known any more are left out. */
export const statesOf = rows.statesOf
/** Takes an own held message back, unless it was sent. */
export const withdraw = (
  appContext: Pick<AppContext, 'db' | 'bus' | 'announces'>,
  userId: UserId,
  nonce: string,
): Promise<void> =>
  commit(appContext, async (tx, emit) => notifyModerators(emit, await rows.withdraw(tx, userId, nonce)))

/** Those who decide on these held messages ask for them again. Those that wait for staff are left out. */
function notifyModerators(emit: Emit, changed: readonly rows.HeldLocation[]): void {
  for (const { is_guilds, guild_id, channel_id } of changed)
    if (is_guilds && guild_id && channel_id) emit.guild(guild_id, heldChanged, {}, channel_id)
}

/** What a copy of a person's data has of their held messages, those after an id, in order. */
export async function ownHeld(
  db: Db,
  userId: UserId,
  after: number,
  limit: number,
): Promise<(ExportedHeld & { readonly id: string })[]> {
  return (await rows.ofAuthor(db, userId, after, limit)).map((row) => {
    const { kind, content, file_name } = heldInput.parse(row.input)
    return {
      id: row.id,
      ...(row.channel_id && row.guild_id && { guild_id: row.guild_id, channel_id: row.channel_id }),
      ...(row.target_id && { target_id: row.target_id }),
      kind,
      content,
      file_name,
      state: rows.stateOf(row).state,
      reason: row.reason,
      created_at: row.created_at,
      decided_at: row.decided_at ?? 0,
    }
  })
}
/**
 * The account is deleted: what it wanted to say, what waits to be said to it, and its files that nothing else
 * shows.
 */
export async function forgetHeld(tx: Tx, emit: Emit, userId: UserId): Promise<void> {
  const forgotten = await rows.forget(tx, userId)
  notifyModerators(emit, forgotten)
  const own = forgotten.filter(({ author_id }) => author_id === userId)
  const files = own.flatMap(({ input }) => heldInput.parse(input).files)
  await dropUnused(tx, [...new Set(files)].sort())
}
/** Those that wait, the oldest first; those that staff decided on, the newest first; and one of them. */
export const waitingHeld = rows.waiting
export const decidedHeld = rows.decided
export const heldById = rows.heldById
/** Those that wait for the moderators of a guild, the oldest first. */
export const guildHeld = rows.waitingOfGuild
/** Since when the oldest waits, ms; null: none waits. */
export const oldestHeld = rows.oldest
/** Deletes some that were decided long ago; returns how many. */
export const trimHeld = (db: Db): Promise<number> =>
  rows.trim(db, clock.now() - HELD_KEPT_MS, TRIMMED_AT_ONCE)

export interface DecideDeps {
  readonly appContext: ChatContext
  /** Of the server; a command sends without one. */
  readonly pipeline?: SendPipeline | undefined
  readonly fetchPicture?: FetchPicture | undefined
}

/** A decision. */
export interface HeldDecision {
  readonly id: string
  readonly isPassed: boolean
  /** Of a rejection its author reads it. */
  readonly reason: string
  /** An id, or `operator`. */
  readonly by: string
}

/** Refusals of a send that concern the author and not the message. */
const CANNOT_WRITE: ReadonlySet<string> = new Set([
  'forbidden',
  'message.not_allowed',
  'message.muted',
  'message.muted_endlessly',
  'onboarding.rules_needed',
  'chat.unknown',
  'chat.not_allowed',
  'chat.unanswered',
])

/**
 * Decides on a held message, once. The one that passes is sent by the same pipeline as any other, under its
 * nonce: done twice, because a process died in between, it is sent once. `record` runs in the transaction of
 * the decision.
 * @throws Failure review.unknown, review.decided, content.author_cannot, and as sends do
 */
export async function decide(
  deps: DecideDeps,
  input: HeldDecision,
  record: (tx: Tx, row: rows.HeldRow) => Promise<void>,
): Promise<void> {
  const { appContext } = deps
  const isDone = await commit(appContext, async (tx, emit) => {
    // The lock makes the second of two who decide at once wait, and find it decided.
    const row = await rows.lockHeld(tx, input.id)
    if (!row) throw fail('review.unknown')
    if (row.status !== rows.heldStatus.waits) throw fail('review.decided')
    const sent = input.isPassed ? null : await sentBefore(appContext.db, row)
    const messageId = input.isPassed ? await sendHeld(deps, row) : sent
    const status = messageId === null ? rows.heldStatus.rejected : rows.heldStatus.passed
    const reason = messageId === null ? input.reason : ''
    await rows.decideHeld(tx, row.id, { status, reason, messageId, by: input.by, now: clock.now() })
    emit.person(
      row.author_id,
      contentReviewed,
      rows.stateOf({ ...row, status, reason, message_id: messageId }),
    )
    notifyModerators(emit, [row])
    if (input.isPassed) await clearDoubt(tx, heldInput.parse(row.input).files)
    if (sent === null) await record(tx, row)
    return sent === null
  })
  // The rules changed meanwhile, and its author sent it again.
  if (!isDone) throw fail('review.decided')
}

/** The message that was sent under the nonce of a held one; null: none. */
const sentBefore = (db: Db, { channel_id, author_id, conversation, nonce }: rows.HeldRow) =>
  channel_id ? sentUnder(db, channel_id, author_id, nonce) : sentPrivately(db, conversation, author_id, nonce)

/** @throws Failure content.author_cannot, and as sends do */
async function sendHeld(deps: DecideDeps, row: rows.HeldRow): Promise<MessageId> {
  const { files: _, file_name: __, ...input } = heldInput.parse(row.input)
  const it = { ...input, nonce: row.nonce, isApproved: true }
  const { appContext, pipeline, fetchPicture } = deps
  try {
    if (row.channel_id)
      return (await send(appContext, row.author_id, { ...it, channelId: row.channel_id }, pipeline)).id
    const to = { code: row.conversation, targetId: undefined, fetchPicture }
    return (await sendPrivate(appContext, row.author_id, { ...it, ...to })).id
  } catch (error) {
    if (error instanceof Failure && CANNOT_WRITE.has(error.failure)) throw fail('content.author_cannot')
    throw error
  }
}
