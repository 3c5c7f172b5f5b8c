/** The composition root: which routes, which hooks, which jobs, which outside. */
import { createHash, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { openAssets } from './asset/asset.ts'
import { assetRoutes } from './asset/routes.ts'
import { openAuth } from './auth/auth.ts'
import { authRoutes } from './auth/routes.ts'
import { factsOf } from './channel/channel.ts'
import { channelRoutes } from './channel/routes.ts'
import { type Config, defaultPublicUrl } from './config.ts'
import { type Gateway, openGateway } from './gateway/gateway.ts'
import { nearOr } from './gateway/places.ts'
import { highestLevel, memberRoles, membershipsOf } from './guild/guild.ts'
import { guildRoutes } from './guild/routes.ts'
import { viewInvite } from './invite/invite.ts'
import { landingPage } from './invite/page.ts'
import { inviteRoutes } from './invite/routes.ts'
import { openBus } from './kit/bus.ts'
import { clock } from './kit/clock.ts'
import type { Database } from './kit/db.ts'
import { EVENTS_KEPT_MS, eventLogOf, type Live, listenForEvents, trimEvents } from './kit/events.ts'
import { type Http, openHttp, type Page } from './kit/http.ts'
import { ids } from './kit/ids.ts'
import type { Log } from './kit/log.ts'
import { openMetrics } from './kit/metrics.ts'
import { nobodyOnline, type Presence } from './kit/presence.ts'
import { openSpool } from './kit/spool.ts'
import { openDesk } from './message/message.ts'
import { messageRoutes } from './message/routes.ts'
import { openOutbox } from './outside/outbox.ts'
import { openDisk } from './outside/storage-disk.ts'
import { openS3 } from './outside/storage-s3.ts'
import { castNames, readWorld, seedWorld } from './testing/seed.ts'
import { banner as words } from './testing/text.ts'
import { userRoutes } from './user/routes.ts'
import { findUser } from './user/user.ts'

const WEB_DIR = path.join(import.meta.dirname, '../../web/dist')
/** What the page draws by itself. `/invite/:code` is drawn here first, see `invite/page.ts`. */
const SCREENS = ['/', '/login', '/home', '/terms', '/privacy', '/invite', '/channels', '/channels/*']
const READY_WITHIN_MS = 2_000

/** What `main.ts` starts and stops. */
export interface App extends Pick<Http, 'inject'> {
  readonly live: Live
  /** Begins to take requests; answers the address. */
  listen(): Promise<string>
  /** Takes no new requests, finishes the ones under way. */
  close(): Promise<void>
  /** What a person who just started it wants to read. Lines of plain text. */
  banner(): Promise<string[]>
}

/**
 * Puts the house together on an open, migrated database; seeds the demo world when the configuration wants one and
 * the database is empty. `checkAnswers`: answers that break their contract fail loudly.
 */
export async function startApp({
  config,
  database,
  log,
  checkAnswers = !config.production,
  webDir = WEB_DIR,
}: {
  config: Config
  database: Database
  log: Log
  checkAnswers?: boolean
  webDir?: string
}): Promise<App> {
  const { db, pool } = database
  if (config.demo) await seedWorld(db)

  const metrics = openMetrics()
  const bus = openBus(eventLogOf(db), log, metrics.bus)
  const listener = await listenForEvents(pool, bus, log)
  const live: Live = { db, bus }

  // The gateway needs the open door and the door's nouns ask it who is here: until it stands, nobody is.
  let gateway: Gateway | null = null
  const presence: Presence = {
    isOnline: (userId) => (gateway ?? nobodyOnline).isOnline(userId),
    onlineCount: (guildId) => (gateway ?? nobodyOnline).onlineCount(guildId),
  }

  const outbox = openOutbox()
  const auth = await openAuth({
    db,
    sms: outbox,
    presence,
    onRevoked: (sessionId) => gateway?.revoked(sessionId),
    // Referral credit hangs here once there is any.
    onRegistered: async () => undefined,
  })

  // What comes in lies where the disk keeps it, so that keeping it is a change of its name.
  const uploads = path.join(config.dataDir, 'uploads')
  const spool = openSpool(path.join(uploads, 'incoming'))
  const assets = openAssets({
    db,
    spool,
    storage: config.s3 ? openS3(config.s3) : openDisk(uploads),
    async reachOf(userId) {
      const [level, user] = await Promise.all([highestLevel(db, userId), findUser(db, userId)])
      return { level, hasBuff: user?.is_vip ?? false }
    },
  })

  const json = (status: number, body: unknown) => ({
    status,
    type: 'json' as const,
    body: JSON.stringify(body),
  })
  const pages: Page[] = [
    { path: '/healthz', run: async () => json(200, { ok: true }) },
    {
      path: '/readyz',
      async run() {
        const parts = { database: await answers(database), bus: listener.isListening() }
        const ok = parts.database && parts.bus
        return json(ok ? 200 : 503, { ok, ...parts })
      },
    },
    {
      path: '/metrics',
      mayRead: ({ isLocal, bearer }) =>
        config.metricsToken === null ? isLocal && !config.production : isSame(bearer, config.metricsToken),
      run: async () => ({ status: 200, type: 'metrics', body: await metrics.page() }),
    },
    landingPage({ webDir, view: (code) => viewInvite(db, presence, null, code) }),
  ]
  if (config.smsProvider === 'outbox' && !config.production) {
    pages.push({ path: '/dev/outbox', run: async (_context, { mobile }) => json(200, outbox.read(mobile)) })
  }

  const isPublicUrlGiven = config.publicUrl !== defaultPublicUrl(config.host, config.port)
  const http = await openHttp({
    bindings: [
      ...userRoutes({ db, presence }),
      ...authRoutes(auth),
      ...assetRoutes(assets),
      ...guildRoutes({ db }),
      ...channelRoutes({ db, presence }),
      ...inviteRoutes({ live, presence }),
      ...messageRoutes({ live, presence, desk: openDesk(db, metrics.sends) }),
    ],
    pages,
    spool,
    files: { paths: ['/assets/:month/:name', '/attachments/:month/:day/:name'], find: assets.find },
    screens: SCREENS,
    webDir,
    sessionOf: auth.sessionOf,
    publicUrl: isPublicUrlGiven ? config.publicUrl : null,
    fallbackUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    checkAnswers,
    log,
    metrics,
  })

  const line = openGateway(
    http.server,
    {
      readToken(token) {
        const bearer = auth.readGatewayToken(token)
        return typeof bearer === 'string' ? bearer : { userId: bearer.userId, loginId: bearer.sessionId }
      },
      isLoginAlive: auth.isSessionLive,
      membershipsOf: (userId) => membershipsOf(db, userId),
      rolesOf: (guildId, userId) => memberRoles(db, guildId, userId),
      factsOf: (guildId) => factsOf(db, guildId),
      uuid: ids.uuid,
      now: clock.now,
      metrics: metrics.line,
      log,
    },
    { isExempt: nearOr(config.trustedProxies) },
  )
  gateway = line
  bus.subscribe((event) => {
    if (event.to === 'guild') line.guildEvent(event)
    else line.personEvent(event)
  })

  const sweep = () =>
    assets
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'leftovers of uploads were not removed'))
  let sweeping = sweep()
  const housekeeping = setInterval(() => {
    sweeping = sweep()
    auth
      .forgetOld()
      .catch((error: unknown) => log.warn({ err: error }, 'old codes and attempts were not removed'))
    trimEvents(db, EVENTS_KEPT_MS).catch((error: unknown) =>
      log.warn({ err: error }, 'old events were not removed'),
    )
  }, HOUR_MS)
  housekeeping.unref()

  return {
    live,
    inject: http.inject,
    async listen() {
      await http.listen(config.host, config.port)
      return config.publicUrl
    },
    async close() {
      clearInterval(housekeeping)
      await sweeping
      await line.close()
      await http.close()
      listener.close()
      bus.close()
    },
    async banner() {
      const { cast, guilds, invites } = await readWorld(db)
      if (Object.keys(cast).length === 0) return []
      const invite = invites.find(({ guild_id }) => guild_id === guilds[0]?.id)
      const people = castNames.flatMap((name) => cast[name] ?? [])
      return [
        ...(invite ? [`${words.invite}: ${config.publicUrl}/invite/${invite.code}`] : []),
        ...(pages.some((page) => page.path === '/dev/outbox')
          ? [`${words.codes}: ${config.publicUrl}/dev/outbox?mobile=${people[0]?.mobile}`]
          : []),
        `${words.people}:`,
        ...people.map(
          (each) => `  ${each.name.padEnd(10)}  +${each.prefix} ${each.mobile}  ${each.password}`,
        ),
      ]
    },
  }
}

/** Are these the same text? Takes as long for a near miss as for a far one. */
function isSame(given: string | null, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== null && timingSafeEqual(digest(given), digest(wanted))
}

/** Does the database answer within two seconds? */
async function answers({ db }: Database): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref())
  const asked = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, late])
}
