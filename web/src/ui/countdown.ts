import { CODE_RESEND_MS } from '@guildhall/wire/auth/auth.ts'

/** The moment of the last code, kept in a cookie per page so that a reload keeps the countdown. chat.md §4 and §9. */
const COOKIE_LIVES_S = 2_592_000
const nameOf = (page: string) => `code_sent_${page}`

/** Whole seconds until another code may be asked for; 0 when now. `sentAt` and `now` are ms. */
export function secondsLeft(sentAt: number | null, now: number): number {
  if (sentAt === null) return 0
  const left = sentAt + CODE_RESEND_MS - now
  // A clock that was set back must not lock the button for longer than one wait.
  if (left <= 0 || left > CODE_RESEND_MS) return 0
  return Math.ceil(left / 1000)
}

/** When the last code of a page was sent, ms, or null. */
export function codeSentAt(page: string): number | null {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${nameOf(page)}=`))
  const at = Number(found?.split('=')[1])
  return Number.isSafeInteger(at) && at > 0 ? at : null
}

/** Notes that a code of a page counts as sent at `at`, ms. */
export function noteCodeSent(page: string, at: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing from the browsers we serve
  document.cookie = `${nameOf(page)}=${at}; path=/; max-age=${COOKIE_LIVES_S}; samesite=lax`
}
