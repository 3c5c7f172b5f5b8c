/** Captchas: what must be solved before a call goes on. chat.md §5 "Captcha idiom dialog", §7 and §8. */
import { route } from '../route.ts'
import { type Out, text, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { MINUTE_MS } from '../unit.ts'

/**
 * `image`: characters to type. `idiom`: four characters of an idiom to tap in order. `slider`: a piece to
 * push onto the hole of its shape.
 * `work`: a proof of work, which needs neither eyes nor hands.
 */
export const CAPTCHA_KINDS = ['image', 'idiom', 'slider', 'work'] as const
export type CaptchaKind = (typeof CAPTCHA_KINDS)[number]

/** How long a challenge may be answered. */
export const CHALLENGE_LIVES_MS = 5 * MINUTE_MS
/** How long after its answer a challenge lets a call pass. */
export const PASS_LIVES_MS = 5 * MINUTE_MS

/** Size of every picture, px, and the width of the slider's piece. */
export const CAPTCHA_WIDTH = 280
export const CAPTCHA_HEIGHT = 140
export const PIECE_SIDE = 48

/**
 * Which captcha a refusal asks for by its `sign`: "400" the slider, "600" the secondary check, else the
 * image. chat.md §8.
 */
export const captchaKindOf = (sign: unknown): CaptchaKind =>
  sign === '400' ? 'slider' : sign === '600' ? 'idiom' : 'image'

/** The same the other way round; empty for the kinds that no `sign` asks for. */
export const signOf = (kind: CaptchaKind): string =>
  kind === 'slider' ? '400' : kind === 'idiom' ? '600' : ''

const work = z.object({
  algorithm: z.string(),
  nonce: z.string(),
  salt: z.string(),
  cost: z.number(),
  keyLength: z.number(),
  keyPrefix: z.string(),
})
export type Work = Out<typeof work>

/**
 * A challenge, sealed: the server keeps nothing of it. Pictures are PNG in base64, shown at `CAPTCHA_WIDTH`
 * by `CAPTCHA_HEIGHT`. chat.md §7 reads `data.url` or `data.imgData`.
 */
export const challenge = z.object({
  id: z.string(),
  kind: z.string(),
  /** Empty for a proof of work. */
  imgData: z.string(),
  /** Of a slider: its piece, and the distance of it from the top, px. */
  piece: z.optional(z.object({ imgData: z.string(), top: z.number() })),
  /** Of a proof of work, alone or beside an idiom or a slider: the parameters of `altcha-lib`. */
  work: z.optional(work),
})
export type Challenge = Out<typeof challenge>

/** Makes a challenge. `refresh` only keeps caches away. chat.md §7. */
export const captcha = route({
  method: 'GET',
  path: '/api/file/captcha',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    refresh: z.optional(text(64)),
    kind: z._default(z.enum(CAPTCHA_KINDS), 'image'),
  }),
  answer: challenge,
  fails: ['captcha.too_many'],
})

/**
 * Answers a challenge, once. `captcha` is what was typed; for idioms four points, `x,y;x,y;x,y;x,y`, for a
 * slider the distance of the piece from the left, both px; for a proof of work its counter. `counter` is that
 * of the proof of work beside an idiom or a slider: without it no answer is right once a password or a code
 * of the number was wrong on the caller's network. The answer's `sign` lets one call for this number pass.
 * chat.md §7.
 */
export const checkCaptcha = route({
  method: 'POST',
  path: '/api/file/check-captcha',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({
    id: text(1024),
    captcha: text(200),
    counter: z.optional(text(20, 0)),
    mobile: z._default(text(20, 0, foldCode), ''),
    mobile_prefix: z._default(text(6, 0, foldCode), '86'),
    /** In place of a number: the address or the name that the call is about. */
    account: z.optional(text(254)),
  }),
  answer: z.object({ sign: z.string() }),
  fails: ['captcha.wrong', 'captcha.expired', 'captcha.too_many'],
})
