/** The ways by which one registers and logs in. */

/** As REGISTRATION names them; `sms` is what chat.md describes. */
export const WAYS = ['sms', 'email', 'invite'] as const
export type Way = (typeof WAYS)[number]

/** The cookie that tells a page which ways are on, joined by dots: `ways=sms.email`; empty of `sms` alone. */
export const WAYS_COOKIE = 'ways'

/** The ways that a browser's cookies tell of, in the operator's order; by phone when they tell of none. */
export function waysIn(cookies: string): readonly Way[] {
  const told = new RegExp(`(?:^|; )${WAYS_COOKIE}=([a-z.]+)`).exec(cookies)?.[1]?.split('.') ?? []
  const ways = told.filter((each): each is Way => (WAYS as readonly string[]).includes(each))
  return ways.length > 0 ? ways : ['sms']
}

/** The cookie's value. */
export const waysValue = (ways: readonly Way[]): string => (ways.join() === 'sms' ? '' : ways.join('.'))

/** Whether a number or an address can be proven: with invites alone neither is asked for. */
export const asksProof = (ways: readonly Way[]): boolean => ways.some((way) => way !== 'invite')
