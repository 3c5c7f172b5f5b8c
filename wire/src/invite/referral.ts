/**
 * Referral: a link with which a user brings another to the product. chat.md §2 "Personal invite registration
 * page", §3, §7.
 */
import { type InviteCode, inviteCode } from '../id.ts'
import { route } from '../route.ts'
import { type Out, z } from '../schema.ts'
import { foldCode } from '../typed.ts'
import { DAY_MS } from '../unit.ts'

/** Letters and digits of a user's code, without those that look alike: 0 O 1 I L. */
export const REFERRAL_LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
export const REFERRAL_LENGTH = 8
/** For this long after a registration its inviter can still be named. */
export const CREDIT_WITHIN_DAYS = 7
export const CREDIT_WITHIN_MS = CREDIT_WITHIN_DAYS * DAY_MS
/** The name of an inviter is cut to this many characters. chat.md §9. */
export const INVITER_NAME_MAX = 10

const CODE = new RegExp(`^[${REFERRAL_LETTERS}]{${REFERRAL_LENGTH}}$`)

/** A user's code as it is stored, from what somebody typed in any case; null when it cannot be one. */
export function referralCodeIn(typed: string): InviteCode | null {
  const code = foldCode(typed).toUpperCase()
  return CODE.test(code) ? (code as InviteCode) : null
}

interface Segmenter {
  segment(text: string): Iterable<{ readonly segment: string }>
}
type Segments = { readonly Segmenter?: new (locale?: string) => Segmenter }

/** The first ten characters of a name, as people count them. An older browser cuts emoji of several parts. */
export function shortName(name: string): string {
  const { Segmenter } = Intl as Segments
  const parts = Segmenter ? [...new Segmenter().segment(name)].map(({ segment }) => segment) : [...name]
  return parts.slice(0, INVITER_NAME_MAX).join('')
}

/**
 * Who invites, and the code as it is stored. `avatar`: the address of their picture, as chat apps show it
 * with the link. chat.md §3 "Inviter lookup".
 */
export const referral = z.object({
  inviter: z.object({ username: z.string(), identify_num: z.string(), avatar: z.string() }),
  user_invite_code: inviteCode,
})
export type Referral = Out<typeof referral>

/** Look up whose code it is. chat.md §7. */
export const viewReferral = route({
  method: 'GET',
  path: '/api/v3/promotion/ref-code',
  dialect: 'v3',
  who: 'anyone',
  input: z.object({ code: inviteCode }),
  answer: referral,
  fails: ['referral.invalid'],
})

/**
 * Check a code that somebody typed into "invite code (optional)": a user's, or an invite into a guild. For a
 * caller with a session also whether it would be credited. chat.md §7.
 */
export const checkInviteCode = route({
  method: 'GET',
  path: '/api/v2/auths/invite-code-verification',
  dialect: 'v2',
  who: 'anyone',
  input: z.object({ invite_code: inviteCode }),
  answer: referral,
  fails: ['referral.invalid', 'referral.own', 'referral.late', 'referral.recorded'],
})

/**
 * One's own codes, today always one, made upon the first call. `count`: how many people registered by it.
 * chat.md §7.
 */
export const myInviteCodes = route({
  method: 'GET',
  path: '/api/v2/users/invite-codes',
  dialect: 'v2',
  who: 'user',
  input: z.object({}),
  answer: z.object({
    items: z.array(z.object({ code: inviteCode, url: z.string(), count: z.number() })),
  }),
  fails: [],
})
