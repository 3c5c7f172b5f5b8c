/**
 * Who logs people in beside their numbers: the providers of the configuration, or in development the local
 * one.
 */

import { LOGINS_COOKIE } from '@guildhall/wire/auth/thirdParty.ts'
import { asksProof } from '@guildhall/wire/auth/ways.ts'
import type { Config } from '../../config.ts'
import type { Endpoint, Reader } from '../../kit/http/endpoints.ts'
import { localApps, openLocalProvider } from '../../outside/login/localProvider.ts'
import { openQq } from '../../outside/login/qq.ts'
import type { Ask, ThirdParty } from '../../outside/login/thirdParty.ts'
import { openWeixin, openWeixinTickets, type WeixinTickets } from '../../outside/login/weixin.ts'
import { mayReadOutbox, showsCodes } from '../pages/pages.ts'
import { WEIXIN_PAGE } from './payProviders.ts'

export interface ThirdParties {
  readonly providers: readonly ThirdParty[]
  /** Null: pages are not signed for WeChat. */
  readonly tickets: WeixinTickets | null
  /** The pages of the local provider. */
  readonly endpoints: readonly Endpoint[]
  /** The cookie by which a page knows what it may offer. */
  readonly pageCookie: (from: Reader) => { readonly name: string; readonly value: string }
}

const PREFIX = '/dev/identity'

/**
 * The providers of the configuration; where it has none, and codes are shown instead of sent, the local one.
 * None where neither a number nor an address can be proven: there is nothing to bind them to.
 */
export function openThirdParties(config: Config): ThirdParties {
  const { qq, weixin } = config.thirdParties
  const canBind = asksProof(config.registration.ways)
  if (canBind && !qq && !weixin && showsCodes(config)) return openLocal(config)
  const configured = [...(qq ? [openQq(qq)] : []), ...(weixin ? [openWeixin(weixin)] : [])]
  const providers = canBind ? configured : []
  const value = providers.map(({ name }) => name).join('.')
  return {
    providers,
    endpoints: [],
    tickets: weixin && openWeixinTickets(weixin),
    pageCookie: () => ({ name: LOGINS_COOKIE, value }),
  }
}

/** Asked in this process: there is nothing to configure, whatever the address and the port. */
function openLocal(config: Config): ThirdParties {
  const provider = openLocalProvider(localApps(), config.publicUrl)
  const { qq, weixin } = provider.apps
  const endpoint = 'http://local.invalid'
  const ask: Ask = async (address) => {
    const { pathname: path, searchParams: query } = new URL(address)
    const answer = provider.handle({ method: 'GET', path, query, body: '' }, () => false)
    return 'redirect' in answer ? Response.error() : new Response(answer.body, { status: answer.status })
  }
  const mayRead = mayReadOutbox(config)
  const pages = ['/login', WEIXIN_PAGE]
  const endpoints = provider.paths.flatMap((path): Endpoint[] =>
    (['GET', 'POST'] as const).map((method) => ({
      method,
      path: `${PREFIX}${path}`,
      mayRead,
      async run({ params, body, origin }) {
        const request = { method, path, query: new URLSearchParams(params), body: body.toString('utf8') }
        const answer = provider.handle(request, (address) => pages.some((page) => address === origin + page))
        return 'redirect' in answer ? { ...answer, status: 303 } : answer
      },
    })),
  )
  return {
    providers: [openQq({ ...qq, endpoint }, ask, PREFIX), openWeixin({ ...weixin, endpoint }, ask, PREFIX)],
    tickets: openWeixinTickets({ ...weixin, endpoint }, ask),
    endpoints,
    // Who may not see its pages is not sent there.
    pageCookie: (from) => ({ name: LOGINS_COOKIE, value: mayRead(from) ? 'qq.weixin' : '' }),
  }
}
