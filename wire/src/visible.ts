/** Which characters are seen. The insides of character classes, for expressions with the flag `u`. */

/**
 * Drawn as nothing and taking no room: what is ignored by default (`DI`), such as fillers and variation
 * selectors, format and control characters, halves of pairs.
 */
export const UNSEEN = '\\p{DI}\\p{Cf}\\p{Cc}\\p{Cs}'
/** Drawn as room alone: white space, the empty Braille pattern, a note without its head. */
export const BLANK = '\\s\\u2800\\u{1D159}'

/** Turns the direction of what follows: embeddings, overrides, isolates and the marks of direction. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Removes the characters that reverse the order of others and can disguise a text. chat.md §5, decision 46.
 */
export const withoutOverrides = (text: string): string => text.replace(TURNING, '')
