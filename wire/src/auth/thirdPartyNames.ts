/**
 * Who else logs people in, and where such a login begins and ends in a browser. Without schemas: the login
 * page needs no more.
 */

/** As `token_type` names them. */
export const THIRD_PARTIES = ['qq', 'weixin'] as const
export type ThirdPartyName = (typeof THIRD_PARTIES)[number]

/** The cookie that tells a page which third parties it may offer, joined by dots: `logins=qq.weixin`. */
export const LOGINS_COOKIE = 'logins'

/** The third parties that a browser's cookies tell of. */
export function offeredThirdParties(cookies: string): readonly ThirdPartyName[] {
  const offered = new RegExp(`(?:^|; )${LOGINS_COOKIE}=([\\w.]*)`).exec(cookies)?.[1]?.split('.') ?? []
  return THIRD_PARTIES.filter((name) => offered.includes(name))
}

/** Where a login by a third party begins, for a browser to go to. */
export const beginPath = (provider: ThirdPartyName): string => `/api/v2/auth/third-part/${provider}`

const STATES: Readonly<Record<ThirdPartyName, string>> = { qq: 'qqlogin', weixin: 'wxlogin' }

/** The `state` that the provider sends back. */
export const stateOf = (provider: ThirdPartyName, nonce: string): string => `${STATES[provider]}.${nonce}`

/**
 * Whose `state` it is, and its nonce; the nonce is empty in the specification's bare form. Null: nobody's.
 */
export function readState(
  state: string,
): { readonly provider: ThirdPartyName; readonly nonce: string } | null {
  const [, word, nonce = ''] = /^(qqlogin|wxlogin)(?:\.(\w{1,100}))?$/.exec(state) ?? []
  if (word === undefined) return null
  return { provider: word === 'qqlogin' ? 'qq' : 'weixin', nonce }
}
