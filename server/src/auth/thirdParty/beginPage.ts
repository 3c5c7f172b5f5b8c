/** Where a browser goes to log in by a third party. */
import { beginPath, type ThirdPartyName } from '@guildhall/wire/auth/thirdParty.ts'
import { Failure } from '@guildhall/wire/failure.ts'
import type { Page } from '../../kit/http/endpoints.ts'
import type { Auth } from '../auth.ts'

/**
 * `GET /api/v2/auth/third-part/:provider` leads to the provider's page, or back to the login when there is no
 * such provider.
 */
export const beginPage = (auth: Pick<Auth, 'thirdParties'>): Page => ({
  path: beginPath(':provider' as ThirdPartyName),
  async run({ origin, path, params, headers }) {
    // The provider sends people back to the public address, so the cookie must be that one's. Once: a proxy
    // may hide the name.
    if (headers.host !== new URL(origin).host && params.here === undefined)
      return { redirect: `${origin}${path}?here=1` }
    try {
      const userAgent = String(headers['user-agent'] ?? '')
      const { address, cookie } = auth.thirdParties.start(params.provider ?? '', { origin, userAgent })
      return { redirect: address, headers: { 'set-cookie': cookie } }
    } catch (error) {
      if (error instanceof Failure) return { redirect: '/login' }
      throw error
    }
  },
})
