/**
 * The HTTP server of this node: the calls, pages and endpoints of the modules, the screens, and what it asks
 * of the nouns.
 */

import type { SandboxAccess } from '@guildhall/sandbox/sandbox.ts'
import { defaultPublicUrl } from '../config.ts'
import type { Page } from '../kit/http/endpoints.ts'
import { type Http, type HttpOptions, openHttp } from '../kit/http/server.ts'
import type { SecurityLog } from '../kit/securityLog.ts'
import { trustedTarget } from '../site/site.ts'
import type { Below } from './context.ts'
import type { Modules } from './modules.ts'
import { pageCookiesOf } from './pages/pageCookies.ts'
import { loopbackOrigins } from './pages/pages.ts'
import { shellCashier } from './pages/referenceShell.ts'

export function openAppHttp(
  { context, stores, windows }: Below,
  modules: Modules,
  input: {
    /** Pages that belong to no noun. */
    readonly pages: readonly Page[]
    readonly screens: HttpOptions['screens']
    readonly sandbox: SandboxAccess | null
    readonly checkAnswers: boolean
  },
): Promise<Http> {
  const { config, log, metrics, security, webDir, dress } = context
  const { auth, thirdParties, staffGate, shortLink } = modules
  const isPublicUrlGiven = config.publicUrl !== defaultPublicUrl(config.host, config.port)
  const pages = [...input.pages, ...modules.all.flatMap((module) => module.pages ?? [])]
  return openHttp({
    bindings: modules.all.flatMap((module) => module.routes ?? []),
    endpoints: [
      ...pages.map((page) => ({ ...page, method: 'GET' as const })),
      ...shellCashier(input.sandbox),
      ...thirdParties.endpoints,
      ...modules.all.flatMap((module) => module.endpoints ?? []),
    ],
    spool: stores.spool,
    screens: input.screens,
    passes: {
      '/go-wild': ({ url }) =>
        trustedTarget(url, { hosts: config.site.trustedLinkHosts, publicUrl: config.publicUrl }),
    },
    shortLink,
    pageCookies: pageCookiesOf(config, thirdParties),
    webDir,
    dress,
    isFramedByItself: !config.production,
    sessionOf: (token) => auth.sessionOf(token),
    staff: staffGate,
    publicUrl: isPublicUrlGiven ? config.publicUrl : null,
    fallbackUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    embedOrigins: [
      ...config.filesEmbedOrigins,
      ...(isPublicUrlGiven ? [] : loopbackOrigins(config.publicUrl)),
    ],
    checkAnswers: input.checkAnswers,
    ways: config.registration.ways,
    log,
    logNetwork: config.logNetwork,
    metrics,
    onRefused: recordRefusal(security),
    windows,
    limitScale: config.rateLimitScale,
  })
}

/** Refused requests that the security log names: limits that were hit, and calls of staff by others. */
const recordRefusal =
  (security: SecurityLog): NonNullable<HttpOptions['onRefused']> =>
  ({ failure, network, route, caller }) => {
    const isStaffCall = failure === 'forbidden' && route?.startsWith('/api/v3/staff/')
    if (failure !== 'too_many' && !isStaffCall) return
    security.record({
      kind: 'refused',
      failure,
      network,
      target: route ?? '',
      ...(caller && { userId: caller.userId, sessionId: caller.sessionId }),
    })
  }
