/** A mobile number: the dialing prefix without `+`, and the national digits. */
export interface Mobile {
  readonly prefix: string
  readonly mobile: string
}

export const CHINA = '86'

/** The cookie that tells a page which dialing prefixes codes are sent to, joined by dots: `prefixes=86.852`. */
export const PREFIXES_COOKIE = 'prefixes'

/** Why a number is invalid, or null. For prefix 86: 11 digits starting with 1. chat.md §5. */
export function mobileProblem({
  prefix,
  mobile,
}: Mobile): 'auth.mobile_required' | 'auth.mobile_wrong' | null {
  if (mobile === '') return 'auth.mobile_required'
  if (prefix === CHINA) return /^1\d{10}$/.test(mobile) ? null : 'auth.mobile_wrong'
  return /^\d{4,14}$/.test(mobile) ? null : 'auth.mobile_wrong'
}
