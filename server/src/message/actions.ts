/** Actions on a channel's message after it was sent: edit, delete, react. protocol.md §4.7 and §8.4. */
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import { REACTORS_MAX } from '@guildhall/wire/message/action.ts'
import type { AppContext } from '../kit/events/events.ts'
import { channelConversation, ephemeralEdits } from './channelConversation.ts'
import * as core from './core/edit.ts'
import * as reactions from './core/reaction.ts'
import { requireSees } from './history.ts'
import type { EditedMessage } from './preview/preview.ts'
import { reactors as reactorRows } from './sql/reaction.ts'

/** The answer of an action: the message's revision from now on. */
interface Done {
  readonly revision: number
}

/**
 * Edits one's own message. With a `targetId` only that person sees the new content, and the stored message is
 * unchanged.
 * @throws Failure as `editMessage` does, and message.target_unknown
 */
export async function edit(
  appContext: AppContext,
  userId: UserId,
  input: core.EditInput & {
    readonly targetId: UserId | null
    /** Called with the new content once it is stored and published; not for a `targetId`. */
    readonly onEdited?: ((message: EditedMessage) => void) | undefined
  },
): Promise<Done> {
  const { targetId } = input
  const conversation = targetId ? ephemeralEdits(appContext, targetId) : channelConversation(appContext)
  const { revision, stored } = await core.editMessage(appContext, conversation, userId, input)
  if (stored && !targetId) input.onEdited?.({ ...stored, authorId: userId })
  return { revision }
}

/**
 * Deletes a message for everybody, one's own or, with the right to manage messages, anyone's.
 * @throws Failure message.unknown, message.no_right
 */
export const remove = (appContext: AppContext, userId: UserId, msgId: MessageId): Promise<void> =>
  core.deleteMessage(appContext, channelConversation(appContext), userId, msgId)

/**
 * Adds a reaction; a second time nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.not_allowed (detail.why: unverified),
 *   message.no_right, message.reactions_full
 */
export const react = async (
  appContext: AppContext,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string },
): Promise<Done> => ({
  revision: await reactions.react(appContext, channelConversation(appContext), userId, input),
})

/**
 * Removes a reaction, one's own or `ofUser`'s; without one nothing happens.
 * @throws Failure message.unknown, message.emoji_unknown, message.no_right
 */
export const unreact = async (
  appContext: AppContext,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string; readonly ofUser: UserId | undefined },
): Promise<Done> => ({
  revision: await reactions.unreact(appContext, channelConversation(appContext), userId, input),
})

/**
 * Who reacted with an emoji, the first ones first; may be empty.
 * @throws Failure message.unknown, message.emoji_unknown
 */
export async function reactors(
  appContext: AppContext,
  userId: UserId,
  input: { readonly msgId: MessageId; readonly emoji: string },
) {
  const emoji = reactions.emojiOf(input.emoji)
  await requireSees(appContext.db, userId, input.msgId)
  const found = await reactorRows(appContext.db, input.msgId, emoji.id, REACTORS_MAX)
  return found.map((row) => ({ ...reactions.reactorOf(row, appContext), nickname: row.nickname }))
}
