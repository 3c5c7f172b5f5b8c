/** The composition root: which routes, which hooks, which jobs, which outside. */

import { createHash, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { loginEnded } from '@guildhall/wire/auth/auth.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { openAssets } from '../asset/asset.ts'
import { assetRoutes } from '../asset/routes.ts'
import { openAuth } from '../auth/auth.ts'
import { authRoutes } from '../auth/routes.ts'
import { factsOf } from '../channel/channel.ts'
import { channelRoutes } from '../channel/routes.ts'
import { chatRoutes } from '../chat/routes.ts'
import { type Config, defaultPublicUrl } from '../config.ts'
import { findPicture } from '../emoji/emoji.ts'
import { emojiRoutes } from '../emoji/routes.ts'
import { type Gateway, openGateway } from '../gateway/gateway.ts'
import { JOURNAL_KEPT_MS, keptIn, trimJournals } from '../gateway/kept.ts'
import { nearOr } from '../gateway/places.ts'
import { highestLevel, keySome, memberRoles, membershipsOf } from '../guild/guild.ts'
import { guildRoutes } from '../guild/routes.ts'
import { viewInvite } from '../invite/invite.ts'
import { landingPage } from '../invite/page.ts'
import { inviteRoutes } from '../invite/routes.ts'
import { type Bus, openBus } from '../kit/bus.ts'
import { clock } from '../kit/clock.ts'
import type { Database } from '../kit/db.ts'
import { EVENTS_KEPT_MS, eventLogOf, type Live, listenForEvents, trimEvents } from '../kit/events.ts'
import { type Http, openHttp, type Page } from '../kit/http.ts'
import { ids } from '../kit/ids.ts'
import type { Log } from '../kit/log.ts'
import { openMetrics } from '../kit/metrics.ts'
import { alone, openNodes } from '../kit/nodes.ts'
import { nobodyOnline, type Presence, sharePresence } from '../kit/presence.ts'
import { openRedis } from '../kit/redis.ts'
import { catchUp, openLookout, openRelay } from '../kit/relay.ts'
import { readSecret } from '../kit/secrets.ts'
import { openSpool } from '../kit/spool.ts'
import { sharedWindows } from '../kit/window.ts'
import { type FetchPicture, openDesk } from '../message/message.ts'
import { openPreviews } from '../message/preview.ts'
import { forgetQuiet } from '../message/ephemeral.ts'
import { messageRoutes } from '../message/routes.ts'
import { welcome } from '../message/welcome.ts'
import { type Elsewhere, openElsewhere } from '../outside/safeFetch.ts'
import { openOutbox } from '../outside/devSms.ts'
import { openDisk } from '../outside/storage-disk.ts'
import { openS3 } from '../outside/storage-s3.ts'
import { castNames, readWorld, type Stores, seedWorld } from '../demo/seed.ts'
import { banner as words } from '../demo/text.ts'
import { userRoutes } from '../user/routes.ts'
import { findUser } from '../user/user.ts'

const WEB_DIR = path.join(import.meta.dirname, '../../web/dist')
/** What the page draws by itself. `/invite/:code` is drawn here first, see `invite/page.ts`. */
const SCREENS = ['/', '/login', '/home', '/terms', '/privacy', '/invite', '/channels', '/channels/*']
const READY_WITHIN_MS = 2_000
/** With other nodes to go to, lines are told to leave over this time, so that they do not all come at once. */
const DRAIN_MS = 5 * SECOND_MS
const REVOKED = 'revoked'
const LET_GO = 'let go'
/** How long a line that moves waits for the node it comes from, which may be dead. */
const LET_GO_WITHIN_MS = 1_500

/** What `main.ts` starts and stops. */
export interface App extends Pick<Http, 'inject'> {
  readonly live: Live
  /** Begins to take requests; answers the address. */
  listen(): Promise<string>
  /** Takes no new requests, finishes the ones under way. */
  close(): Promise<void>
  /** Resolves when nothing is under way that nobody waits for, such as looking at addresses in messages. */
  settled(): Promise<void>
  /** What a person who just started it wants to read. Lines of plain text. */
  banner(): Promise<string[]>
}

/**
 * Puts the house together on an open, migrated database; seeds the demo world when the configuration wants one and
 * the database is empty. `checkAnswers`: answers that break their contract fail loudly. `elsewhere`: the way to the web,
 * which closes with the house; null: there is none.
 */
export async function startApp({
  config,
  database,
  log,
  checkAnswers = !config.production,
  webDir = WEB_DIR,
  elsewhere = config.fetchOutside ? openElsewhere() : null,
}: {
  config: Config
  database: Database
  log: Log
  checkAnswers?: boolean
  webDir?: string
  elsewhere?: Elsewhere | null
}): Promise<App> {
  const { db, pool } = database
  const { assets, spool } = openStores(config, db, elsewhere)
  if (config.demo) await seedWorld(db, async () => ({ assets, spool }))

  const metrics = openMetrics()
  const redis = config.redisUrl === null ? null : openRedis(config.redisUrl, log)
  // Systems that share a Redis do not hear each other: the nodes of one know its database.
  const prefix = `guildhall:${(await readSecret(db, 'nodes')).toString('hex', 0, 8)}:`
  const nodes = redis ? openNodes({ redis, prefix, log }) : alone()
  if (redis) metrics.nodes.watch(() => ({ isConnected: redis.isConnected(), others: nodes.others().length }))
  const lookout = openLookout({
    db,
    bus: () => bus,
    nodes,
    isAlone: redis === null,
    // A login that ended elsewhere, of which no word came.
    alsoLook: async () => {
      const lines = gateway
      if (!lines || redis === null) return
      for (const login of await auth.endedAmong([...lines.logins()])) lines.revoked(login)
    },
    log,
  })
  const relay = redis && openRelay(redis, prefix, lookout)
  const bus: Bus = openBus(eventLogOf(db), log, metrics.bus, relay)
  const listener = await listenForEvents(pool, bus, log, lookout.here)
  const live: Live = { db, bus }

  // The gateway needs the open door and the door's nouns ask it who is here: until it stands, nobody is.
  let gateway: Gateway | null = null
  let draining = false
  const shared = redis && sharePresence(nodes, () => gateway)
  const presence: Presence = shared ?? {
    isOnline: (userId) => (gateway ?? nobodyOnline).isOnline(userId),
    onlineCount: (guildId) => (gateway ?? nobodyOnline).onlineCount(guildId),
  }

  const hangUp = (sessionId: string) => {
    gateway?.revoked(sessionId)
    nodes.tell(REVOKED, sessionId)
  }
  const outbox = openOutbox()
  const auth = await openAuth({
    db,
    sms: outbox,
    presence,
    onRevoked: hangUp,
    // Referral credit hangs here once there is any.
    onRegistered: async () => undefined,
  })
  nodes.hear(REVOKED, (sessionId) => {
    auth.forget(String(sessionId))
    gateway?.revoked(String(sessionId))
  })
  bus.overhear(({ kind, body }) => {
    if (kind === loginEnded.name) auth.forget((body as { login_id: string }).login_id)
  })

  const previews = openPreviews({ live, assets, elsewhere, houses: [config.publicUrl], log })
  const fetchPicture: FetchPicture = async (userId, address, it) =>
    (await assets.fetchPicture(userId, address, it))?.url ?? null
  const desk = openDesk(db, metrics.sends, bus, {
    ...(elsewhere && { fetchPicture }),
    sent: ({ id, type, author, content }, origin) =>
      previews.look({ id, kind: kindOf(type, 'specification'), authorId: author.id, content }, origin),
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
        const parts = {
          database: await answers(database),
          bus: listener.isListening(),
          ...(redis && { redis: redis.isConnected() }),
          ...(draining && { draining }),
        }
        const ok = parts.database && parts.bus && parts.redis !== false && !draining
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
      ...userRoutes({ db, presence, hangUp }),
      ...authRoutes(auth),
      ...assetRoutes(assets),
      ...guildRoutes({ db }),
      ...emojiRoutes({ live, assets, presence }),
      ...channelRoutes({ db, presence }),
      ...inviteRoutes({ live, presence, welcome: (tx, emit, it) => welcome(tx, emit, presence, it) }),
      ...messageRoutes({ live, presence, desk, changed: previews.look }),
      ...chatRoutes({ live, presence, ...(elsewhere && { fetchPicture }) }),
    ],
    pages,
    spool,
    files: {
      paths: ['/assets/:month/:name', '/attachments/:month/:day/:name', '/emojis/:guild/:name'],
      find: async (path) => (await assets.find(path)) ?? (await findPicture(assets, path)),
    },
    screens: SCREENS,
    webDir,
    sessionOf: auth.sessionOf,
    publicUrl: isPublicUrlGiven ? config.publicUrl : null,
    fallbackUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    checkAnswers,
    log,
    metrics,
    ...(redis && { windows: sharedWindows(redis, prefix) }),
  })

  const line = openGateway(
    http.server,
    {
      readToken(token) {
        const bearer = auth.readGatewayToken(token)
        if (typeof bearer === 'string') return bearer
        const { userId, sessionId, isBot } = bearer
        return { userId, loginId: sessionId, dialect: isBot ? 'public' : 'specification' }
      },
      isLoginAlive: auth.isSessionLive,
      membershipsOf: (userId) => membershipsOf(db, userId),
      rolesOf: (guildId, userId) => memberRoles(db, guildId, userId),
      factsOf: (guildId) => factsOf(db, guildId),
      ...(redis && { topics: { ...bus, catchUp: (topics) => catchUp(db, bus, topics) } }),
      uuid: ids.uuid,
      now: clock.now,
      kept: {
        ...keptIn(db, nodes.id),
        letGo: async (id) => void (await nodes.ask(LET_GO, id, LET_GO_WITHIN_MS)),
      },
      metrics: metrics.line,
      log,
    },
    { isExempt: nearOr(config.trustedProxies) },
  )
  gateway = line
  nodes.answer(LET_GO, async (id) => ((await line.letGo(String(id))) ? true : null))
  bus.subscribe((event) => {
    if (event.to === 'guild') line.guildEvent(event)
    else line.personEvent(event)
  })

  const sweep = () =>
    assets
      .sweep()
      .catch((error: unknown) => log.warn({ err: error }, 'leftovers of uploads were not removed'))
  let sweeping = sweep()
  let keying = Promise.resolve()
  /** Members without search keys get them, batch by batch, beside everything else. */
  const keyAll = () => {
    keying = keying
      .then(async () => {
        while (!draining && (await keySome(db)) > 0) await new Promise(setImmediate)
      })
      .catch((error: unknown) => log.warn({ err: error }, 'some members cannot be found by name yet'))
  }
  keyAll()
  const housekeeping = setInterval(() => {
    sweeping = sweep()
    auth
      .forgetOld()
      .catch((error: unknown) => log.warn({ err: error }, 'old codes and attempts were not removed'))
    Promise.all([trimEvents(db, EVENTS_KEPT_MS), forgetQuiet(db)]).catch((error: unknown) =>
      log.warn({ err: error }, 'old events were not removed'),
    )
  }, HOUR_MS)
  housekeeping.unref()
  const tidying = setInterval(() => {
    keyAll()
    trimJournals(db, clock.now() - JOURNAL_KEPT_MS).catch((error: unknown) =>
      log.warn({ err: error }, 'old journals of the line were not removed'),
    )
  }, MINUTE_MS)
  tidying.unref()

  return {
    live,
    inject: http.inject,
    async listen() {
      await http.listen(config.host, config.port)
      return config.publicUrl
    },
    async close() {
      clearInterval(housekeeping)
      clearInterval(tidying)
      draining = true
      http.drain()
      // Elsewhere is another node to go to: lines leave one by one, and calls are answered meanwhile.
      if (redis) await line.drain(DRAIN_MS)
      await Promise.all([http.close(), line.close()])
      elsewhere?.close()
      await Promise.all([sweeping, keying, previews.settled()])
      listener.close()
      lookout.close()
      shared?.close()
      bus.close()
      nodes.close()
      redis?.close()
    },
    settled: previews.settled,
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

/** Where files are kept and taken in. */
export function openStores(config: Config, db: Database['db'], elsewhere: Elsewhere | null = null): Stores {
  // What comes in lies where the disk keeps it, so that keeping it is a change of its name.
  const uploads = path.join(config.dataDir, 'uploads')
  const spool = openSpool(path.join(uploads, 'incoming'))
  const assets = openAssets({
    db,
    spool,
    storage: config.s3 ? openS3(config.s3) : openDisk(uploads),
    elsewhere,
    async reachOf(userId) {
      const [level, user] = await Promise.all([highestLevel(db, userId), findUser(db, userId)])
      return { level, hasBuff: user?.is_vip ?? false }
    },
  })
  return { assets, spool }
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
