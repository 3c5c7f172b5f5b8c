import { CODE_RESEND_MS } from '@guildhall/wire/auth/auth.ts'

/**
 * The countdown until another SMS code may be requested. When the last code was sent is kept in a cookie per page, so
 * that a reload keeps the countdown. chat.md §4 and §9.
 */
const COOKIE_MAX_AGE_S = 2_592_000
const cookieName = (page: string) => `code_sent_${page}`

/** Whole seconds until another code may be requested; 0: now. `sentAt` and `now` are ms. */
export function secondsLeft(sentAt: number | null, now: number): number {
  if (sentAt === null) return 0
  const left = sentAt + CODE_RESEND_MS - now
  // A clock that was set back must not lock the button for longer than one countdown.
  if (left <= 0 || left > CODE_RESEND_MS) return 0
  return Math.ceil(left / 1000)
}

/** When the last code of a page was sent, Unix ms, or null. */
export function codeSentAt(page: string): number | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${cookieName(page)}=`))
  const at = Number(found?.split('=')[1])
  return Number.isSafeInteger(at) && at > 0 ? at : null
}

/** Stores that the last code of a page was sent at `at`, Unix ms, and, for this tab, to which number. */
export function noteCodeSent(page: string, at: number, mobile: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing from the browsers we serve
  document.cookie = `${cookieName(page)}=${at}; path=/; max-age=${COOKIE_MAX_AGE_S}; samesite=lax`
  try {
    sessionStorage.setItem(cookieName(page), mobile)
  } catch {
    // Without storage the number is typed again after a reload.
  }
}

/** The number that the last code of a page was sent to while its countdown runs, else empty. */
export function mobileOfCode(page: string): string {
  try {
    return secondsLeft(codeSentAt(page), Date.now()) > 0
      ? (sessionStorage.getItem(cookieName(page)) ?? '')
      : ''
  } catch {
    return ''
  }
}
