/** Asking a service whether a text or a picture may be shown to others. */

/** `block`: not at all; `review`: a person has to look; `pass`: it may. */
export type ReviewSuggestion = 'pass' | 'review' | 'block'

export interface Reviewed {
  readonly suggestion: ReviewSuggestion
  /** What the service takes it for, in its own word: `Porn`, `Ad`. */
  readonly label: string
}

/** Both throw an error without the content in it, when the service gives no answer. */
export interface ContentReview {
  /** At most `REVIEWED_TEXT_MAX` code points. */
  text(text: string, signal: AbortSignal): Promise<Reviewed>
  /** A PNG, JPEG, GIF or WebP of less than `REVIEWED_PICTURE_MAX` bytes. */
  picture(bytes: Buffer, signal: AbortSignal): Promise<Reviewed>
}

/**
 * The service answered, but with no verdict: wrong keys, no right, no quota. The message says what, without
 * the content.
 */
export class ReviewRefused extends Error {}

/** Code points of one text. Tencent Cloud: "TextModeration". */
export const REVIEWED_TEXT_MAX = 10_000
/** Bytes of a picture. Tencent Cloud: "ImageModeration". */
export const REVIEWED_PICTURE_MAX = 5 * 1024 * 1024
