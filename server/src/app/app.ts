/**
 * The composition root: opens every part, starts what the modules bring, and closes all in the right order.
 */
import path from 'node:path'
import type { SandboxAccess } from '@guildhall/sandbox/sandbox.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Config } from '../config.ts'
import { demoCode } from '../demo/world.ts'
import type { Database } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import type { Page } from '../kit/http/endpoints.ts'
import type { Http } from '../kit/http/server.ts'
import type { Log } from '../kit/log.ts'
import type { ModuleContext } from '../kit/module.ts'
import type { SecurityLog } from '../kit/securityLog.ts'
import { recordAddress } from '../kit/servedAddress.ts'
import { openSafeFetch, type SafeFetch } from '../outside/safeFetch.ts'
import { dresserOf, nameSite, readSiteFace } from '../site/site.ts'
import { bannerOf } from './banner.ts'
import { type Below, openBelow } from './context.ts'
import { openAppGateway } from './gateway.ts'
import { followEndedLogins, watchLogins } from './hooks.ts'
import { openAppHttp } from './http.ts'
import { type Modules, openModules } from './modules.ts'
import { appLinkPages } from './pages/appLinks.ts'
import {
  authenticatorPage,
  healthPage,
  mailboxPage,
  metricsPage,
  outboxPage,
  type Readiness,
  readinessOf,
  readinessPage,
  showsCodes,
  showsMail,
  solutionPage,
} from './pages/pages.ts'
import { referenceShellPages } from './pages/referenceShell.ts'
import { robotsPage } from './pages/robots.ts'
import { SCREENS } from './pages/screens.ts'
import { ordersNeedingAttention } from './payments.ts'
import { warningsOf } from './warnings.ts'
import { startWork } from './work.ts'

const WEB_DIR = path.join(import.meta.dirname, '../../../web/dist')
/** With other nodes, connections are closed over this time, ms, so that they do not all reconnect at once. */
const DRAIN_MS = 5 * SECOND_MS

/** What `main.ts` starts and stops. */
export interface App extends Pick<Http, 'inject'> {
  readonly appContext: AppContext
  readonly security: Pick<SecurityLog, 'flush'>
  /** Starts listening; returns the address. */
  listen(): Promise<string>
  /** Takes no new requests, finishes the ones in flight. */
  close(): Promise<void>
  /** Resolves when no background work is under way, such as link previews. */
  settled(): Promise<void>
  /** Lines of plain text for the person who started it. */
  banner(): Promise<string[]>
}

export interface AppOptions {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  /** Fail loudly when an answer does not match its contract; by default outside production. */
  readonly checkAnswers?: boolean
  readonly webDir?: string
  /** Fetches from the web, closed with the app; null: nothing is fetched. */
  readonly safeFetch?: SafeFetch | null
  /** The local payment providers; null: there are none. */
  readonly sandbox?: SandboxAccess | null
  /** False: what is done by the clock is left to whoever calls it, as tests do. */
  readonly scheduledWork?: boolean
}

/**
 * Puts the app together on an open, migrated database. Seeds the demo world when the configuration wants one
 * and the database is empty.
 */
export async function startApp(given: AppOptions): Promise<App> {
  const { config, database, log } = given
  const { webDir = WEB_DIR, sandbox = null, checkAnswers = !config.production } = given
  const { scheduledWork = true } = given
  const { safeFetch = config.fetchOutside ? openSafeFetch() : null } = given
  const face = await readSiteFace(config.siteDir)
  nameSite(face.names)
  const dress = dresserOf(face) ?? undefined
  const below = await openBelow({ config, database, log, webDir, dress, safeFetch })
  const { context, cluster, stores } = below
  const { redis } = cluster
  const { appContext, jobs, metrics } = context
  const modules = await openModules(below, { safeFetch, sandbox, face })
  const { auth } = modules
  followEndedLogins({ auth, gateway: cluster.gateway, nodes: cluster.nodes, bus: appContext.bus })

  let isDraining = false
  const readiness: Readiness = {
    database,
    hasDiskRoom: () => stores.disk.hasRoom(),
    isListening: cluster.isListening,
    isRedisConnected: redis ? () => redis.isConnected() : undefined,
    isDraining: () => isDraining,
  }
  metrics.ready.watch(() => readinessOf(readiness))
  metrics.jobs.watch(() => jobs.states())
  metrics.pay.watchNeedingAttention(() => ordersNeedingAttention(appContext.db))
  const pages = pagesOf(below, modules, readiness)
  const http = await openAppHttp(below, modules, { pages, screens: SCREENS, sandbox, checkAnswers })
  const gateway = openAppGateway(context, { auth, cluster, server: http.server })
  const work = await startWork(context, modules.all, { scheduledWork })
  const stopWatching = watchLogins({ auth, gateway: cluster.gateway, log })
  const settled = async () => void (await Promise.all(modules.all.map((module) => module.settled?.())))

  return {
    appContext,
    security: below.security,
    inject: (request) => http.inject(request),
    async listen() {
      await http.listen(config.host, config.port)
      // Links of the command line are less important than the server.
      await recordAddress(config.dataDir, config.publicUrl).catch((error: unknown) =>
        log.warn({ err: error }, 'the address was not written to the data directory'),
      )
      for (const line of warningsOf(config)) log.warn(line)
      return config.publicUrl
    },
    async close() {
      stopWatching()
      isDraining = true
      http.drain()
      // Clients reconnect to another node one by one, and calls are answered meanwhile.
      if (redis) await gateway.drain(DRAIN_MS)
      await work.stop()
      await Promise.all([http.close(), gateway.close()])
      safeFetch?.close()
      await Promise.all([jobs.close(), work.close(), settled(), below.security.close()])
      for (const module of modules.all) module.close?.()
      cluster.close()
      await below.replica?.close()
    },
    settled,
    banner: () => bannerOfApp(context, sandbox),
  }
}

async function bannerOfApp(
  { config, appContext }: ModuleContext,
  sandbox: SandboxAccess | null,
): Promise<string[]> {
  const lines = await bannerOf(appContext.db, {
    publicUrl: config.publicUrl,
    showsCodes: showsCodes(config),
    hasDemoApp: config.hasDemoApp,
    sandbox: sandbox && { url: sandbox.url, inBrowser: config.pay.inBrowser },
  })
  return [...warningsOf(config).map((line) => `WARNING  ${line}`), ...lines]
}

/** The pages for operators, developers and stores. */
const pagesOf = (
  { context: { config, appContext, metrics } }: Below,
  { captcha, codes }: Modules,
  readiness: Readiness,
): Page[] => [
  healthPage,
  readinessPage(readiness),
  metricsPage(config, metrics),
  robotsPage(config.hasSiteMap),
  ...appLinkPages(config.app),
  ...referenceShellPages(config),
  ...(showsMail(config) ? [mailboxPage(config, codes.devMail)] : []),
  ...(showsCodes(config)
    ? [
        outboxPage(config, codes.devSms),
        solutionPage(config, captcha),
        authenticatorPage(config, (mobile) => demoCode(appContext.db, mobile)),
      ]
    : []),
]
