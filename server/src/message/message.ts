/**
 * Messages for other parts: what private chats build on, what the app opens, what the demo world sends with.
 */

export { cardContent, cardNodes, type FetchPicture, maySendCards } from './card/card.ts'
export {
  EDITABLE,
  previewText,
  readSendBody,
  refuseOther,
  refuseTemplate,
} from './content.ts'
export type {
  Conversation,
  Deleting,
  Editing,
  Locked,
  Locking,
  Reacting,
  StoredMessage,
} from './core/conversation.ts'
export { deleteMessage, type EditInput, editMessage } from './core/edit.ts'
export { type HistoryQuery, historyRows } from './core/history.ts'
export { quoteOf } from './core/quote.ts'
export { emojiOf, react, reactorOf, unreact } from './core/reaction.ts'
export {
  type Checked,
  type Destination,
  type Sender,
  type SendOptions,
  sendTo,
  type Typed,
} from './core/send.ts'
export { messageTable } from './core/table.ts'
export { deleteExpiredEphemeral } from './ephemeral.ts'
export { type Forwarded, forwardedFrom, forwardedOf } from './forward.ts'
export { listedByIds, type MessageAround, messageAround, messageIn, seenAround } from './history.ts'
export { limitSends } from './limit.ts'
export { fileOf, type Media } from './media/media.ts'
export { readableEvent } from './media/signedFiles.ts'
export { quoteWithPictures, withPictures } from './media/storedPictures.ts'
export { mentionPartOf } from './mention/mentions.ts'
export {
  deleteAnyBy,
  deleteSomeIn,
  deleteSomeOf,
  deleteWelcomesOf,
  forgetReader,
  ownMessages,
} from './messageControl.ts'
export { notifyChannel } from './posted/post.ts'
export { type SaidLately, saidLately } from './rules/lately.ts'
export { shownText } from './screenedTexts.ts'
export { type SendInput, send, sentUnder } from './send.ts'
export { openSendPipeline, type SendPipeline } from './sendPipeline.ts'
export { byIds as messagesByIds } from './sql/activity.ts'
export {
  type AuthoredRow,
  authorsWithin,
  countSent,
  firstSentFrom,
  type SentRow,
  sentWithin,
} from './sql/message.ts'
export { emojiUsedWithin } from './sql/reaction.ts'
export {
  channelCandidates,
  lastSentAt,
  type Searched,
  type SearchedRow,
  type SearchFilter,
  type SearchPosition,
  searchCandidates,
} from './sql/search.ts'
