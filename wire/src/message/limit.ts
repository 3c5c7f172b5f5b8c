/** Limits of messages and their history. chat.md §5 and §9. */
/** Maximum length of a user's message, UTF-16 units. chat.md §9. */
export const COMPOSER_MAX = 2_000
/** Maximum length of stored content, UTF-16 units. protocol.md §9.5. */
export const CONTENT_MAX = 8_000
/** Messages in a page of history. */
export const HISTORY_PAGE_SIZE = 50
/** Messages that are chosen at once, to be copied, forwarded or deleted. */
export const MESSAGES_CHOSEN_MAX = 100
/** Different emoji on one message. */
export const REACTIONS_MAX = 20
/** Pinned messages of one channel. */
export const PINS_MAX = 50
/** Invites of one message that are shown as cards. chat.md §5. */
export const MESSAGE_INVITES_MAX = 2
