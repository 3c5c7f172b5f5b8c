/** Which characters are seen. The insides of character classes, for expressions with the flag `u`. */

/** Drawn as nothing and taking no room: format characters, fillers, variation selectors, control characters, halves of pairs. */
export const UNSEEN = '\\p{Default_Ignorable_Code_Point}\\p{Cf}\\p{Cc}\\p{Cs}'
/** Drawn as room alone: white space, the empty Braille pattern, a note without its head. */
export const BLANK = '\\s\\u2800\\u{1D159}'
