/** The composition root: opens every part, binds the routes, and closes all in the right order. */
import path from 'node:path'
import type { InviteCode } from '@guildhall/wire/id.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { changeFace, deleteWords, deleteWordsJob, tellGuilds, type WordsQueue } from '../account/account.ts'
import { accountRoutes } from '../account/routes.ts'
import type { FileAddresses } from '../asset/asset.ts'
import { assetRoutes } from '../asset/routes.ts'
import { type Auth, beginPage, openAuth } from '../auth/auth.ts'
import { authRoutes, ownerRoutes } from '../auth/routes.ts'
import { type Captcha, openCaptcha } from '../captcha/captcha.ts'
import { captchaRoutes } from '../captcha/routes.ts'
import { audienceFacts, eventForms } from '../channel/channel.ts'
import { channelRoutes } from '../channel/routes.ts'
import { chatRoutes } from '../chat/routes.ts'
import { type Config, defaultPublicUrl } from '../config.ts'
import { seedWorld } from '../demo/seed.ts'
import { dressWorld } from '../demo/showcase.ts'
import { demoCode } from '../demo/world.ts'
import { findPicture } from '../emoji/emoji.ts'
import { emojiRoutes } from '../emoji/routes.ts'
import { friendRoutes } from '../friend/routes.ts'
import { nearOr } from '../gateway/connectionLimit.ts'
import { type Gateway, openGateway } from '../gateway/gateway.ts'
import { openSessionStore } from '../gateway/handoff/sessionStore.ts'
import type { GatewayPorts } from '../gateway/ports.ts'
import { guildBadge, memberRoles, membershipsOf, spellingOf } from '../guild/guild.ts'
import { guildRoutes } from '../guild/routes.ts'
import { viewInvite } from '../invite/invite.ts'
import { landingPage, shortInviteLink, userInvitePage } from '../invite/landingPage.ts'
import { limitGuesses } from '../invite/limit.ts'
import { creditReferral, recordRegistration, viewReferral } from '../invite/referral.ts'
import { inviteRoutes } from '../invite/routes.ts'
import { shortAddressTarget } from '../invite/shortAddress.ts'
import { clock } from '../kit/clock.ts'
import type { Database } from '../kit/db.ts'
import type { Live } from '../kit/events.ts'
import type { Binding } from '../kit/http/binding.ts'
import { fileEndpoints, type Page } from '../kit/http/endpoints.ts'
import { type Http, type HttpOptions, openHttp } from '../kit/http/server.ts'
import { ids } from '../kit/ids.ts'
import { type Jobs, openJobs } from '../kit/jobs.ts'
import type { Log } from '../kit/log.ts'
import { type Metrics, openMetrics } from '../kit/metrics.ts'
import { Limits, memoryRateLimiter, type RateLimiter, redisRateLimiter } from '../kit/rateLimit.ts'
import { catchUp } from '../kit/relay.ts'
import { openSecurityLog, type SecurityLog } from '../kit/securityLog.ts'
import { recordAddress } from '../kit/servedAddress.ts'
import { endMutes, PresenceEvents, Rosters } from '../member/member.ts'
import { actRoutes, memberRoutes } from '../member/routes.ts'
import { deleteSomeIn, type FetchPicture, openSendPipeline, type SendPipeline } from '../message/message.ts'
import { type LinkPreviews, openLinkPreviews } from '../message/preview.ts'
import { messageRoutes } from '../message/routes.ts'
import { welcome } from '../message/welcome.ts'
import { type DevSms, openDevSms } from '../outside/devSms.ts'
import { openSafeFetch, type SafeFetch } from '../outside/safeFetch.ts'
import { profileRoutes } from '../profile/routes.ts'
import { type RealNameDeps, verifyRealName } from '../realname/realname.ts'
import { realNameRoutes } from '../realname/routes.ts'
import { ownReports, tellReporters, tellReportersJob } from '../report/report.ts'
import { reportRoutes } from '../report/routes.ts'
import { roleRoutes } from '../role/routes.ts'
import type { SandboxAccess } from '../sandbox/sandbox.ts'
import { screeningRoutes } from '../screening/routes.ts'
import { type OpenScreening, oldestHeld, openScreening, trimHeld } from '../screening/screening.ts'
import { siteRoutes } from '../site/routes.ts'
import { trustedTarget } from '../site/site.ts'
import { staffRoutes } from '../staff/routes.ts'
import { endSuspensions, openStaffGate, type ReportersQueue } from '../staff/staff.ts'
import { userRoutes } from '../user/routes.ts'
import { drawnPictureAt } from '../user/user.ts'
import { appLinkPages } from './appLinks.ts'
import { bannerOf } from './banner.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { openContentReview } from './contentReview.ts'
import { answerHandoffs, followEndedLogins, requestHandoff, sessionCloser, watchLogins } from './hooks.ts'
import { startHousekeeping } from './housekeeping.ts'
import { pageCookiesOf } from './pageCookies.ts'
import {
  authenticatorPage,
  healthPage,
  metricsPage,
  outboxPage,
  type Readiness,
  readinessOf,
  readinessPage,
  showsCodes,
  solutionPage,
} from './pages.ts'
import {
  faceDeps,
  holderTeller,
  notifyEndpoints,
  ownersOf,
  type PaymentsDeps,
  payDepsOf,
  purchaseRoutes,
  startPayJobs,
} from './payments.ts'
import { openApple, openPayProviders, payerPictureOf, weixinPayerOf } from './payProviders.ts'
import { openRealNames } from './realName.ts'
import { referenceShellPages, shellCashier } from './referenceShell.ts'
import { SCREENS } from './screens.ts'
import { noticesOf, siteInfoOf } from './siteInfo.ts'
import { openSms } from './sms.ts'
import { openStores, type UploadStores } from './stores.ts'
import { openPictures, openThirdParties, type ThirdParties } from './thirdParties.ts'
import { warningsOf } from './warnings.ts'

const WEB_DIR = path.join(import.meta.dirname, '../../../web/dist')
const FILES = ['/assets/:month/:name', '/attachments/:month/:day/:name', '/emojis/:guild/:name']
/** With other nodes, connections are closed over this time, ms, so that they do not all reconnect at once. */
const DRAIN_MS = 5 * SECOND_MS

/** What `main.ts` starts and stops. */
export interface App extends Pick<Http, 'inject'> {
  readonly live: Live
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
}

/** The parts of a running app. */
interface Parts {
  readonly options: Required<AppOptions>
  readonly stores: UploadStores
  readonly metrics: Metrics
  readonly cluster: Cluster
  readonly live: Live
  readonly devSms: DevSms
  readonly auth: Auth
  readonly captcha: Captcha
  readonly thirdParties: ThirdParties
  readonly pictures: ReturnType<typeof openPictures>
  readonly payments: PaymentsDeps
  readonly jobs: Jobs
  readonly security: SecurityLog
  readonly previews: LinkPreviews
  readonly pipeline: SendPipeline
  readonly windows: RateLimiter
  readonly limits: Limits
  readonly fetchPicture: FetchPicture | null
  readonly closeSessions: (sessionId: string) => void
  readonly rosters: Rosters
  readonly realNames: RealNameDeps
  readonly screening: OpenScreening
}

/**
 * Puts the app together on an open, migrated database. Seeds the demo world when the configuration wants one and the
 * database is empty.
 */
export async function startApp(given: AppOptions): Promise<App> {
  const parts = await openParts(given)
  const { options, cluster, auth, live } = parts
  const { config, database, log } = options
  const { redis } = cluster
  let isDraining = false
  const readiness: Readiness = {
    database,
    hasDiskRoom: () => parts.stores.disk.hasRoom(),
    isListening: cluster.isListening,
    isRedisConnected: redis ? () => redis.isConnected() : undefined,
    isDraining: () => isDraining,
  }
  parts.metrics.ready.watch(() => readinessOf(readiness))
  const pages: Page[] = [
    healthPage,
    readinessPage(readiness),
    metricsPage(config, parts.metrics),
    landingPage({ webDir: options.webDir, notices: noticesOf(config), view: viewAsGuest(parts) }),
    userInvitePage({
      webDir: options.webDir,
      view: (code, place) =>
        limitGuesses({ limits: parts.limits, db: live.db }, place, () => viewReferral(live.db, code)),
    }),
    beginPage(auth),
    ...appLinkPages(config.app),
    ...referenceShellPages(config),
    ...(showsCodes(config)
      ? [
          outboxPage(config, parts.devSms),
          solutionPage(config, parts.captcha),
          authenticatorPage(config, (mobile) => demoCode(live.db, mobile)),
        ]
      : []),
  ]
  const http = await openAppHttp(parts, pages)
  const gateway = openAppGateway(parts, http)
  cluster.gateway.attach(gateway)
  answerHandoffs(cluster.nodes, gateway)
  live.bus.subscribe((event) => {
    if (event.to === 'guild') gateway.guildEvent(event)
    else gateway.personEvent(event)
  })
  const { jobs } = parts
  parts.metrics.disk.watch(() => parts.stores.disk.space())
  parts.metrics.jobs.watch(() => jobs.states())
  const stopSweeping = await startHousekeeping({
    db: live.db,
    jobs,
    assets: parts.stores.assets,
    auth,
    captcha: parts.captcha,
    log,
    deleteWords: (userId, signal) => deleteWords(live, userId, signal),
    tellGuilds: (userId, after, signal) => tellGuilds(live, userId, after, signal),
    endSuspensions: () => endSuspensions(live),
    tellReporters: (caseId, signal) => tellReporters(live, caseId, signal),
    endMutes: (guildId, userId) => endMutes(live, guildId, userId),
    deleteBanned: (it, limit) => deleteSomeIn(live, it, limit),
    trimHeld: () => trimHeld(live.db),
  })
  const stopPayments = await startPayJobs(parts.payments)
  const presenceEvents = new PresenceEvents(live, log)
  const stopWatching = watchLogins({ auth, gateway: cluster.gateway, log })

  return {
    live,
    security: parts.security,
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
      stopSweeping()
      stopWatching()
      isDraining = true
      http.drain()
      // Clients reconnect to another node one by one, and calls are answered meanwhile.
      if (cluster.redis) await gateway.drain(DRAIN_MS)
      await presenceEvents.close()
      await Promise.all([http.close(), gateway.close()])
      options.safeFetch?.close()
      const pending = [parts.previews.settled(), parts.pictures.settled()]
      await Promise.all([jobs.close(), stopPayments(), ...pending, parts.security.close()])
      parts.stores.assets.close()
      parts.rosters.close()
      parts.screening.close()
      cluster.close()
    },
    settled: async () => void (await Promise.all([parts.previews.settled(), parts.pictures.settled()])),
    banner: async () => [
      ...warningsOf(config).map((line) => `WARNING  ${line}`),
      ...(await bannerOf(live.db, {
        publicUrl: config.publicUrl,
        showsCodes: showsCodes(config),
        hasDemoApp: config.hasDemoApp,
        sandbox: options.sandbox && { url: options.sandbox.url, inBrowser: config.pay.inBrowser },
      })),
    ],
  }
}

/** Opens everything below the HTTP server and the gateway. */
async function openParts(given: AppOptions): Promise<Parts> {
  const { config, database, log } = given
  const options: Required<AppOptions> = {
    checkAnswers: !config.production,
    webDir: WEB_DIR,
    sandbox: null,
    safeFetch: config.fetchOutside && given.safeFetch === undefined ? openSafeFetch() : null,
    ...given,
  }
  const { safeFetch } = options
  const { db } = database
  const metrics = openMetrics()
  const { whenDown } = config.contentReview
  const service = openContentReview(config)
  const screening = await openScreening({ db, log, service, whenDown, metrics: metrics.screening })
  metrics.screening.watch(() => oldestHeld(db))
  const stores = await openStores(config, db, safeFetch, screening)
  const isNew = config.demo && (await seedWorld(db, async () => stores))
  if (isNew && config.hasDemoApp) await dressWorld(db, stores, config.publicUrl)

  const cluster = await openCluster({ config, database, log, metrics })
  const { nodes, bus, presence } = cluster
  const live: Live = { db, bus, presence, publicUrl: config.publicUrl, screening }
  const windows = cluster.redis ? redisRateLimiter(cluster.redis, cluster.prefix) : memoryRateLimiter()
  const limits = new Limits(windows, config.rateLimitScale)
  const closeSessions = sessionCloser(cluster.gateway, nodes)
  const devSms = openDevSms()
  const security = openSecurityLog(db, log)
  const captcha = await openCaptcha({
    db,
    mode: config.captcha,
    scale: config.rateLimitScale,
    limits,
    security,
    metrics: metrics.captchas,
  })
  const thirdParties = openThirdParties(config)
  const { assets } = stores
  const pictures = openPictures({ db, assets, publicUrl: config.publicUrl, log })
  const auth = await openAuth({
    db,
    log,
    thirdParties: thirdParties.providers,
    weixinTickets: thirdParties.tickets,
    screens: { screening },
    onPicture: pictures.fetch,
    captcha,
    sms: openSms(config.sms, { devSms, metrics, log }),
    smsRules: config.sms,
    presence,
    publicUrl: config.publicUrl,
    security,
    onRevoked: closeSessions,
    creditReferral,
    limitGuesses: (place, act) => limitGuesses({ limits, db: live.db }, place, act),
    async onRegistered(tx, userId, code, source) {
      const via = await recordRegistration(tx, userId, { code, source })
      metrics.registrations.counted(source === null ? 'none' : String(source), via)
    },
  })
  metrics.sms.watchDay(auth.sentToday, config.sms.dailyMax)
  followEndedLogins({ auth, gateway: cluster.gateway, nodes, bus })

  const previews = openLinkPreviews({ live, assets, safeFetch, ownUrls: [config.publicUrl], log })
  const fetchPicture: FetchPicture | null =
    safeFetch &&
    (async (userId, address, it) => (await assets.fetchPicture(userId, address, it))?.url ?? null)
  const pipeline = openSendPipeline(db, metrics.sends, bus, {
    ...(fetchPicture && { fetchPicture }),
    onSent: ({ id, type, author, content }, origin) =>
      previews.schedule({ id, kind: kindOf(type, 'specification'), authorId: author.id, content }, origin),
  })
  const jobs = await openJobs({ pool: database.pool, log })
  const payments: PaymentsDeps = {
    live,
    jobs,
    limits,
    log,
    metrics: metrics.pay,
    inBrowser: config.pay.inBrowser,
    providers: await openPayProviders(config, options.sandbox),
    goliveVideo: config.site.goliveVideo,
    weixin: weixinPayerOf(config, thirdParties.providers),
    payerPicture: payerPictureOf(config.publicUrl, fetchPicture),
    apple: await openApple(config),
  }
  return {
    options,
    stores,
    metrics,
    cluster,
    live,
    devSms,
    auth,
    captcha,
    previews,
    pipeline,
    fetchPicture,
    windows,
    limits,
    jobs,
    security,
    thirdParties,
    pictures,
    payments,
    screening,
    realNames: { ...openRealNames(config), db, limits, log },
    closeSessions,
    rosters: new Rosters(live),
  }
}

const bindingsOf = ({
  options: { config },
  live,
  payments,
  auth,
  captcha,
  stores: { assets, addresses },
  pipeline,
  previews,
  fetchPicture,
  limits,
  closeSessions,
  jobs,
  metrics,
  rosters,
  realNames,
  screening,
}: Parts): Binding[] => [
  ...wholeAccountRoutes({
    live,
    auth,
    jobs,
    addresses,
    config,
    payments,
    screening,
    pipeline,
    fetchPicture,
  }),
  ...userRoutes({ live, closeSessions }),
  ...captchaRoutes(captcha),
  ...authRoutes(auth, live),
  ...realNameRoutes(realNames),
  ...ownerRoutes({
    live,
    auth,
    verifyRealName: (userId, typed, place) => verifyRealName(realNames, userId, typed, place),
    changeFace: (tx, emit, userId, face) => changeFace(tx, emit, faceDeps({ live, jobs }), userId, face),
  }),
  ...assetRoutes(assets),
  ...friendRoutes({ live, owners: ownersOf(live.db), spellingOf }),
  ...guildRoutes({ live }),
  ...roleRoutes({ live }),
  ...emojiRoutes({ live, assets }),
  ...channelRoutes({ live }),
  ...memberRoutes({ live, rosters }),
  ...actRoutes({ live, jobs }),
  ...inviteRoutes({ live, limits, welcome: (tx, emit, it) => welcome(tx, emit, live, it) }),
  ...messageRoutes({ live, pipeline, limits, onEdited: previews.schedule }),
  ...purchaseRoutes(payments),
  ...profileRoutes({ live, welcome: (tx, emit, it) => welcome(tx, emit, live, it) }),
  ...siteRoutes({
    apps: config.apps,
    info: siteInfoOf(config),
    db: live.db,
    limits,
    metrics: metrics.clientErrors,
  }),
  ...screeningRoutes({ live }),
  ...chatRoutes({
    pipeline,
    live: { ...live, addresses },
    limits,
    ...(fetchPicture && { fetchPicture }),
  }),
]

/** The calls about accounts as a whole, one's own and, for staff, others'; and what members report to staff. */
function wholeAccountRoutes({
  live,
  auth,
  jobs,
  addresses,
  config,
  payments,
  screening,
  pipeline,
  fetchPicture,
}: Pick<Parts, 'live' | 'auth' | 'jobs' | 'payments' | 'screening' | 'pipeline' | 'fetchPicture'> & {
  readonly addresses: FileAddresses
  readonly config: Config
}): Binding[] {
  const words: WordsQueue = {
    queue: (tx, userId) => jobs.send(tx, deleteWordsJob, { user_id: userId }),
    wake: () => jobs.wake(deleteWordsJob),
  }
  const reporters: ReportersQueue = {
    queue: (tx, case_id) => jobs.send(tx, tellReportersJob, { case_id }),
    wake: () => jobs.wake(tellReportersJob),
  }
  return [
    ...accountRoutes({ live, auth, words, addresses, ownReports }),
    ...reportRoutes({ live }),
    ...staffRoutes({
      live,
      words,
      auth,
      reporters,
      files: addresses,
      addresses: config.staffAddresses,
      pay: payDepsOf(payments),
      tell: holderTeller({ live, jobs }),
      screened: {
        live: { ...live, addresses },
        pipeline,
        words: screening.words,
        ...(fetchPicture && { fetchPicture }),
      },
    }),
  ]
}

/** Refused requests that the security log names: limits that were hit, and calls of staff by others. */
const recordRefusal =
  (security: SecurityLog): NonNullable<HttpOptions['onRefused']> =>
  ({ failure, place, route, caller }) => {
    const isStaffCall = failure === 'forbidden' && route?.startsWith('/api/v3/staff/')
    if (failure !== 'too_many' && !isStaffCall) return
    security.record({
      kind: 'refused',
      failure,
      place,
      target: route ?? '',
      ...(caller && { userId: caller.userId, sessionId: caller.sessionId }),
    })
  }

/** Looks an invite up as a guest; guesses are counted by place. */
const viewAsGuest =
  ({ live, limits }: Pick<Parts, 'live' | 'limits'>) =>
  (code: InviteCode, place: string) =>
    limitGuesses({ limits, db: live.db }, place, () => viewInvite(live, null, code))

function openAppHttp(parts: Parts, pages: readonly Page[]): Promise<Http> {
  const { config, log, checkAnswers, webDir } = parts.options
  const { assets, spool } = parts.stores
  const isPublicUrlGiven = config.publicUrl !== defaultPublicUrl(config.host, config.port)
  return openHttp({
    bindings: bindingsOf(parts),
    endpoints: [
      ...pages.map((page) => ({ ...page, method: 'GET' as const })),
      ...shellCashier(parts.options.sandbox),
      ...parts.thirdParties.endpoints,
      ...notifyEndpoints(parts.payments),
      ...fileEndpoints(
        FILES,
        async (path, params) =>
          (await assets.find(path, params)) ?? (await findPicture(assets, path, params)),
      ),
      ...fileEndpoints(['/avatars/:colour/:name'], async (path) => drawnPictureAt(path)),
      ...fileEndpoints(['/api/v3/badge/guild'], (_path, query) => guildBadge(parts.live, query)),
    ],
    spool,
    screens: SCREENS,
    passes: {
      '/go-wild': ({ url }) =>
        trustedTarget(url, { hosts: config.site.trustedLinkHosts, publicUrl: config.publicUrl }),
    },
    shortLink: async (path, place) =>
      (await shortAddressTarget(parts.live.db, path)) ??
      (await shortInviteLink(path, (code) => viewAsGuest(parts)(code, place))),
    pageCookies: pageCookiesOf(config, parts.thirdParties),
    webDir,
    isFramedByItself: !config.production,
    sessionOf: parts.auth.sessionOf,
    staff: openStaffGate({ live: parts.live, addresses: config.staffAddresses }),
    publicUrl: isPublicUrlGiven ? config.publicUrl : null,
    fallbackUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    checkAnswers,
    log,
    metrics: parts.metrics,
    onRefused: recordRefusal(parts.security),
    windows: parts.windows,
    limitScale: config.rateLimitScale,
  })
}

function openAppGateway(parts: Parts, http: Http): Gateway {
  const { auth, cluster, metrics, live } = parts
  const { db, bus } = live
  const { config, log } = parts.options
  const ports: GatewayPorts = {
    readToken(token) {
      const owner = auth.readGatewayToken(token)
      if (typeof owner === 'string') return owner
      const { userId, sessionId, isBot } = owner
      return { userId, loginId: sessionId, dialect: isBot ? 'public' : 'specification' }
    },
    isLoginAlive: auth.isSessionLive,
    osOfLogin: auth.systemOfLogin,
    membershipsOf: (userId) => membershipsOf(db, userId),
    rolesOf: (guildId, userId) => memberRoles(db, guildId, userId),
    factsOf: (guildId) => audienceFacts(db, guildId),
    channelForms: (guildId, channelIds) => eventForms(db, guildId, channelIds),
    ...(cluster.redis && { topics: { ...bus, catchUp: (topics) => catchUp(db, bus, topics) } }),
    uuid: ids.uuid,
    now: clock.now,
    sessionStore: {
      ...openSessionStore(db, cluster.nodes.id),
      requestRelease: requestHandoff(cluster.nodes),
    },
    metrics: metrics.gateway,
    log,
  }
  return openGateway(http.server, ports, { isExempt: nearOr(config.trustedProxies) })
}
