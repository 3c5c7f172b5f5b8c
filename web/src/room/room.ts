/** What a room of messages is made of, for the screens of other conversations. */
export { Composer } from '../composer/Composer.tsx'
export type { MentionTargets } from '../kmarkdown/mentionTargets.ts'
export type { Rights } from '../message/rights.ts'
export { useLinkedMessage } from './list/useLinkedMessage.ts'
export type { UnreadAtEntry } from './list/useUnreadAtEntry.ts'
export { RoomFrame, RoomMessages } from './RoomFrame.tsx'
export { ComposerSkeleton } from './RoomSkeleton.tsx'
export { type OpenRoom, sendDraft, useOpenRoom } from './useOpenRoom.ts'
