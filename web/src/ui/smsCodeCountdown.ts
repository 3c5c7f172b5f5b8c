import { CODE_RESEND_MS } from '@guildhall/wire/auth/auth.ts'

/**
 * The countdown until another SMS code may be requested for a number, on whichever page: the server counts per number too. When its last
 * code was sent is kept in a cookie, so that a reload keeps the countdown. chat.md §4 and §9.
 */
const PREFIX = 'code_sent_'

/** A number as it is typed. An empty `mobile` is that of the account. */
export interface CodeNumber {
  readonly prefix: string
  readonly mobile: string
}

/** Names the number in a cookie, which does not show it: what is left when it is divided by a prime. */
const cookieName = ({ prefix, mobile }: CodeNumber): string =>
  PREFIX + (Number(prefix + mobile.replace(/\D/g, '')) % 4_294_967_291)

/** Whole seconds until another code may be requested; 0: now. `sentAt` and `now` are ms. */
export function secondsLeft(sentAt: number | null, now: number): number {
  if (sentAt === null) return 0
  const left = sentAt + CODE_RESEND_MS - now
  // A clock that was set back must not lock the button for longer than one countdown.
  if (left <= 0 || left > CODE_RESEND_MS) return 0
  return Math.ceil(left / 1000)
}

/** When the last code of a number was sent, Unix ms, or null. */
export function codeSentAt(number: CodeNumber): number | null {
  const name = `${cookieName(number)}=`
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(name))
  return Number(found?.slice(name.length)) || null
}

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
