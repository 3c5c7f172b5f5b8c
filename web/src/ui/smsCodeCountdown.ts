import { CODE_RESEND_MS } from '@guildhall/wire/auth/auth.ts'

/**
 * The countdown until another SMS code may be requested for a number, on whichever page: the server counts per number too. When its last
 * code was sent is kept in a cookie, so that a reload keeps the countdown. chat.md §4 and §9.
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
 * The cookies of a number, which do not show it. `whole`: what is left of a typed one when it is divided by a prime; `own`: how that of the
 * account ends; `typed`: how one ends that was typed. A typed number is told apart from others, and from that of the account by its end.
 */
function cookiesOf({ prefix, mobile }: CodeNumber) {
  const digits = mobile.replace(/[^\d*]/g, '')
  const end = `${prefix}_${digits.length}_${digits.slice(-4)}`
  return {
    whole: `${PREFIX}${Number(prefix + digits) % 4_294_967_291}`,
    own: `${PREFIX}own_${end}`,
    typed: `${PREFIX}typed_${end}`,
  }
}

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
  const { whole, own, typed } = cookiesOf(number)
  const names = [own, isMasked(number) ? typed : whole]
  const times = document.cookie.split('; ').flatMap((pair) => {
    const [name = '', at] = pair.split('=')
    return names.includes(name) ? [Number(at)] : []
  })
  return Math.max(0, ...times) || null
}

/** Stores that the last code of a number was sent at `at`, Unix ms, and, for this tab, on which page. */
export function noteCodeSent(page: string, at: number, number: CodeNumber): void {
  const { whole, own, typed } = cookiesOf(number)
  for (const name of isMasked(number) ? [own] : [whole, typed]) {
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing from the browsers we serve
    document.cookie = `${name}=${at}; path=/; max-age=${CODE_RESEND_MS / 1000}; samesite=lax`
  }
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
