import { CODE_RESEND_MS } from '@guildhall/wire/auth/auth.ts'

/**
 * The countdown until another SMS code may be requested for a number, on whichever page: the server counts
 * per number too. When its last code was sent is kept in a cookie, so that a reload keeps the countdown.
 * chat.md §4 and §9.
 */
const PREFIX = 'code_sent_'

/** A number as it is typed, or that of the account as the server masks it: `*******0003`. */
export interface CodeNumber {
  readonly prefix: string
  readonly mobile: string
}

/** Whether it is that of the account, of which the page knows the end alone. */
export const isMasked = ({ mobile }: Pick<CodeNumber, 'mobile'>): boolean => mobile.includes('*')

/**
 * Names the number in a cookie: how long it is and how it ends, which is what a masked one and the same one
 * typed have in common. Decision 97.
 */
function cookieName({ prefix, mobile }: CodeNumber): string {
  const digits = mobile.replace(/[^\d*]/g, '')
  return `${PREFIX}${prefix}_${digits.length}_${digits.slice(-4)}`
}

/** Whole seconds until another code may be requested; 0: now. `sentAt`, 0 for never, and `now` are ms. */
export function secondsLeft(sentAt: number, now: number): number {
  const left = sentAt + CODE_RESEND_MS - now
  // A clock that was set back must not lock the button for longer than one countdown.
  return left > 0 && left <= CODE_RESEND_MS ? Math.ceil(left / 1000) : 0
}

/** When the last code of a number was sent, Unix ms; 0: never. */
export const codeSentAt = (number: CodeNumber): number =>
  Number.parseInt(document.cookie.split(`${cookieName(number)}=`)[1] ?? '', 10) || 0

/** Stores that the last code of a number was sent at `at`, Unix ms, and, for this tab, on which page. */
export function noteCodeSent(page: string, at: number, number: CodeNumber): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing from the browsers we serve
  document.cookie = `${cookieName(number)}=${at}; path=/; max-age=${CODE_RESEND_MS / 1000}; samesite=lax`
  try {
    sessionStorage.setItem(PREFIX + page, JSON.stringify(number))
  } catch {
    // Without storage the number is typed again after a reload.
  }
}

/** The number that the last code of a page was sent to while its countdown runs, else empty. */
export function mobileOfCode(page: string): string {
  try {
    const number = JSON.parse(sessionStorage.getItem(PREFIX + page) ?? '') as CodeNumber
    return secondsLeft(codeSentAt(number), Date.now()) ? number.mobile : ''
  } catch {
    // Nothing is stored, or storage is refused.
    return ''
  }
}
