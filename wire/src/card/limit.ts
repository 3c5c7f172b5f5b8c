/** Limits of a card message. Texts are counted in UTF-16 units. protocol.md §7.1, K where D is silent. */
export const CARDS_MAX = 5
/** Over all cards of a message. */
export const MODULES_MAX = 50
export const HEADER_MAX = 100
export const PLAIN_MAX = 2_000
export const KMARKDOWN_MAX = 5_000
export const FIELDS_MAX = 50
export const COLS_MAX = 3
/** Pictures of a group or a container. At least one. */
export const IMAGES_MAX = 9
export const BUTTONS_MAX = 4
export const CONTEXT_MAX = 10
export const BUTTON_TEXT_MAX = 40
export const ALT_MAX = 20
/** The title of a file, a video or an audio. Ours. */
export const TITLE_MAX = 200
/** The value of a button, and every address. Ours. */
export const VALUE_MAX = 2_048
/** A whole message of cards as JSON text, before and after its shorthands are written out. Ours. */
export const CARD_CONTENT_MAX = 30_000
