/**
 * The live line: sockets in, events out. The only code that knows sockets; features publish to the bus and never
 * import this. protocol.md §2.
 */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import { HELLO_WAIT_MS, IDLE_MS, RESUMABLE_MS } from '@guildhall/wire/gateway/timing.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { type GuildEvent, type PersonEvent, type Topic, topicOf } from '../kit/bus.ts'
import type { LineMetrics } from '../kit/metrics.ts'
import type { GuildAudience, GuildFacts } from './audience.ts'
import { boundPlaces, nearOr, PLACE_CONNECTIONS_MAX } from './connectionLimit.ts'
import { GuildFeed, type Topics, tellingOf } from './feed.ts'
import { Journal, type JournalStore } from './handoff/journal.ts'
import { claim, owed, type RebuildStore } from './handoff/rebuild.ts'
import { closeCode, reconnect, Session } from './session.ts'
import { Deliveries } from './transport/deliveryQueue.ts'
import { stored } from './transport/frames.ts'
import { SocketWire, Turn } from './transport/socketWriter.ts'

/** What the gateway asks of the rest of the house. */
export interface GatewayPorts {
  /** Who a gateway token speaks for. */
  readToken(token: string): Bearer | 'bad' | 'expired'
  /** False when the login was revoked or its person banned. */
  isLoginAlive(loginId: string): Promise<boolean>
  membershipsOf(userId: UserId): Promise<readonly { guild_id: GuildId; roles: readonly number[] }[]>
  rolesOf(guildId: GuildId, userId: UserId): Promise<readonly number[] | null>
  factsOf(guildId: GuildId): Promise<GuildFacts | null>
  /** Where events come from. Without it, everything that happens is handed in. */
  readonly topics?: Topics
  uuid(): string
  now(): number
  /** Where sessions are written down, so that any node can take them up; absent, they end with the process. */
  kept?: KeptPorts
  /** Counts what the line does; nobody does when it is absent. */
  metrics?: LineMetrics
  log: { warn(detail: object, message: string): void; error(detail: object, message: string): void }
}

/** Who opens a line, and what its events are written in. */
export interface Bearer {
  readonly userId: UserId
  readonly loginId: string
  /** The specification's, unless it is a bot. */
  readonly dialect?: NumberDialect
}

export interface KeptPorts extends JournalStore, RebuildStore {
  readonly nodeId: string
  /** The number of a person's last own event. */
  personSeq(userId: UserId): Promise<number>
  /** Asks the other nodes to write a session down and let it go; returns when one has, or none answers in time. */
  letGo(sessionId: string): Promise<void>
}

/** How much at once: all have a default, and tests make them smaller. */
export interface GatewayLimits {
  readonly openings: number
  readonly perPlace: number
  /** Addresses whose connections are not counted. */
  readonly isExempt: (ip: string) => boolean
  readonly sweepMs: number
}

export interface Gateway {
  guildEvent(event: GuildEvent): void
  personEvent(event: PersonEvent): void
  /** A login ended: its lines close and cannot be taken up again. */
  revoked(loginId: string): void
  /** Another node takes a session up: writes it down and lets it go. False when it is not here. */
  letGo(sessionId: string): Promise<boolean>
  isOnline(userId: string): boolean
  /** Members with a line open now, those alone that `counts`. */
  onlineCount(guildId: string, counts?: (userId: UserId) => boolean): number
  /** Who has a line open here. */
  onlinePeople(): Set<UserId>
  /** In each guild that is heard here: how many of its members with a line open here count. */
  onlineCounts(counts: (userId: UserId) => boolean): Map<GuildId, number>
  /** The logins that sessions here belong to. */
  logins(): Set<string>
  /** Refuses new lines, and tells those that are open, spread over so many ms, to come back elsewhere. */
  drain(ms: number): Promise<void>
  close(): Promise<void>
}

/** The path of the socket. The rest of the address is a query, see protocol.md §2.2. */
export const GATEWAY_PATH = '/gateway'

/** A client's frames are tiny. */
const CLIENT_FRAME_MAX_BYTES = 4 * 1024
/** A socket that takes nothing for this long is let go, so that it can come back and resume. */
const BLOCKED_MAX_MS = 30 * SECOND_MS
/** Handshakes under way at once, from the request to the hello; more are told to come later. */
const OPENING_MAX = 1_000
/** Sessions of one person, open or to be resumed; beyond it the ones lost longest ago go. */
export const PERSON_SESSIONS_MAX = 20
/** The server is going away: the client comes back, with its session. RFC 6455 registry. */
const RESTARTING = 1012
/** Lines that are told to leave go in waves this far apart. */
const DRAIN_WAVE_MS = 50
/** One timer for all lines. */
const SWEEP_MS = 5_000

interface Person {
  readonly sessions: Set<Session>
  /** Where they may be heard of: every guild they belong to, and maybe some they left. */
  readonly guilds: Set<GuildId>
  /** Counts changes of this person's memberships, so that a load that raced one is done again. */
  changes: number
  /** The last own event that is behind them: told here, or from before they were listened to. */
  ownSeq: number
}

/** Takes over `upgrade` requests for the gateway's path on an HTTP server. */
export function openGateway(
  server: Server,
  ports: GatewayPorts,
  limits: Partial<GatewayLimits> = {},
): Gateway {
  const openingsMax = limits.openings ?? OPENING_MAX
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: CLIENT_FRAME_MAX_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const sessions = new Map<string, Session>()
  const people = new Map<UserId, Person>()
  const feeds = new Map<GuildId, GuildFeed>()
  /** Sessions on whose account a person's own events are listened to. */
  const watching = new Set<Session>()
  /** Sockets whose hello is under way, and since when. Kept until the database has answered for them. */
  const openings = new Map<WebSocket, number>()
  const { metrics } = ports
  const handOnFailed = (error: unknown) => ports.log.error({ err: error }, 'an event could not be handed on')
  const deliveries: Deliveries = new Deliveries(() => turn.wake(), handOnFailed)
  const { held, settle } = deliveries
  const turn = new Turn(metrics ?? null, settle)
  let closing = false
  /** Sessions of other nodes on their way here. */
  const takingUp = new Map<string, Promise<Session | number>>()
  const { kept } = ports
  const journal = kept
    ? new Journal({
        store: kept,
        nodeId: kept.nodeId,
        now: ports.now,
        guildsOf: (userId) => people.get(userId)?.guilds ?? [],
        sessions: () => sessions.values(),
        taken(sessionId) {
          const session = sessions.get(sessionId)
          if (session) release(session, closeCode.replaced)
        },
        failed: (error) => ports.log.warn({ err: error }, 'sessions could not be written down; trying again'),
      })
    : null

  const feedPorts = {
    topics: ports.topics,
    deliveries,
    factsOf: ports.factsOf,
    rolesOf: ports.rolesOf,
    journal,
    now: ports.now,
    sessionsOf: (userId: UserId) => people.get(userId)?.sessions ?? [],
    failed: handOnFailed,
  }

  const feedOf = (guildId: GuildId): GuildFeed => {
    let feed = feeds.get(guildId)
    if (!feed) {
      feed = new GuildFeed(guildId, feedPorts)
      feeds.set(guildId, feed)
    }
    return feed
  }

  /** Makes a session hear the guilds its person belongs to. Returns once it does; `onHeard` is told of each. */
  async function subscribe(
    session: Session,
    onHeard?: (guildId: GuildId, audience: GuildAudience) => void,
  ): Promise<void> {
    const own: Topic = `person:${session.userId}`
    if (ports.topics) {
      watching.add(session)
      await ports.topics.watch(own)
    }
    // Read before anything is heard here: what is committed later comes by itself.
    const ownSeq = kept ? await kept.personSeq(session.userId) : 0
    // Revoked meanwhile.
    if (!sessions.has(session.id)) return
    ports.topics?.begin(own, ownSeq)
    let person = people.get(session.userId)
    if (!person) {
      person = { sessions: new Set(), guilds: new Set(), changes: 0, ownSeq }
      people.set(session.userId, person)
      // Whoever was here before may not have heard all of it yet.
      journal?.begins(own, ownSeq)
    }
    person.sessions.add(session)
    session.ownFrom = person.ownSeq
    if (person.sessions.size > PERSON_SESSIONS_MAX) dropOne(person, session)
    for (let changes = -1; changes !== person.changes; ) {
      changes = person.changes
      const memberships = await ports.membershipsOf(session.userId)
      for (const { guild_id } of memberships) person.guilds.add(guild_id)
      await Promise.all(
        memberships.map(({ guild_id, roles }) =>
          feedOf(guild_id).withAudience((audience) => {
            audience.add(session.userId, roles, person.sessions)
            onHeard?.(guild_id, audience)
          }),
        ),
      )
    }
  }

  /** A session ends for good. */
  function drop(session: Session): void {
    if (sessions.has(session.id)) journal?.ended(session.id)
    forget(session)
  }

  /** A login ended: its lines do too. */
  function revoked(loginId: string): void {
    // What was said before is still heard.
    settle()
    for (const session of [...sessions.values()]) {
      if (session.loginId !== loginId) continue
      const { wire } = session
      drop(session)
      wire?.close(closeCode.revoked)
    }
  }

  /** A session is another node's now. */
  function release(session: Session, code: number): void {
    const { wire } = session
    forget(session)
    wire?.close(code)
  }

  function forget(session: Session): void {
    sessions.delete(session.id)
    session.end()
    const person = people.get(session.userId)
    person?.sessions.delete(session)
    if (person?.sessions.size === 0) people.delete(session.userId)
    if (watching.delete(session)) ports.topics?.unwatch(`person:${session.userId}`)
    for (const guildId of person?.guilds ?? []) {
      const feed = feeds.get(guildId)
      feed?.audience?.remove(session)
      if (feed?.isIdle) letFeedGo(guildId)
    }
  }

  function letFeedGo(guildId: GuildId): void {
    feeds.get(guildId)?.close()
    feeds.delete(guildId)
  }

  /** Somebody with a line here belongs to one more guild. What happened to them meanwhile is looked at again. */
  async function hearGuild(guildId: GuildId, userId: UserId, person: Person): Promise<void> {
    for (let changes = -1; changes !== person.changes; ) {
      changes = person.changes
      const roles = await ports.rolesOf(guildId, userId)
      await feedOf(guildId).withAudience((audience) => {
        if (roles) audience.add(userId, roles, person.sessions)
        else audience.removePerson(userId)
      })
    }
  }

  /** A person has too many: the one lost longest ago goes, or, when all are in use, the one silent longest. */
  function dropOne(person: Person, newest: Session): void {
    const others = [...person.sessions].filter((session) => session !== newest)
    const byAge = others.toSorted((a, b) => a.heardAt - b.heardAt)
    const oldest = byAge.find((session) => !session.wire) ?? byAge[0]
    if (!oldest) return
    const { wire } = oldest
    drop(oldest)
    wire?.close(closeCode.replaced)
  }

  const onBroken = (error: Error) => ports.log.warn({ err: error }, 'a line broke')

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const address = URL.canParse(request.url ?? '', 'ws://x') ? new URL(request.url ?? '', 'ws://x') : null
    if (address?.pathname !== GATEWAY_PATH) return turnAway(socket, '404 Not Found')
    if (closing || openings.size >= openingsMax) return turnAway(socket, '503 Service Unavailable')
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('error', onBroken)
      openings.set(ws, ports.now())
      accept(ws, socket, address.searchParams)
        .catch((error: unknown) => {
          ports.log.error({ err: error }, 'a line could not be opened')
          ws.close(1011)
        })
        .finally(() => openings.delete(ws))
    })
  }

  async function accept(ws: WebSocket, socket: Duplex, query: URLSearchParams): Promise<void> {
    const compress = query.get('compress') !== '0'
    const refuse = (frame: object) => {
      const text = JSON.stringify(frame)
      ws.send(compress ? stored(text) : text)
      ws.close(closeCode.refused)
    }
    const refuseHello = (code: number) => refuse({ s: signal.hello, d: { code } })
    const startOver = (code: number) => {
      metrics?.restarted()
      refuse(reconnect(code))
    }

    const token = query.get('token')
    if (!token) return refuseHello(gatewayCode.missingArgument)
    const bearer = ports.readToken(token)
    if (bearer === 'expired') return refuseHello(gatewayCode.tokenExpired)
    if (bearer === 'bad') return refuseHello(gatewayCode.badToken)

    // `resule` is what some public clients send. protocol.md §2.2.
    if (query.get('resume') === '1' || query.get('resule') === '1') {
      const sn = query.get('sn')
      const id = query.get('session_id') ?? query.get('sessionId')
      if (!sn || !/^\d{1,15}$/.test(sn) || !id) return refuse(reconnect(gatewayCode.missingResumeArgument))
      if (!(await ports.isLoginAlive(bearer.loginId))) return refuseHello(gatewayCode.badToken)
      if (ws.readyState !== ws.OPEN) return
      // One that is on its way here already is waited for.
      const here = takingUp.has(id) ? undefined : sessions.get(id)
      const known = here ?? (await takeUp(id, Number(sn), compress, bearer))
      if (typeof known === 'number') return startOver(known)
      if (ws.readyState !== ws.OPEN) return
      if (known.userId !== bearer.userId || known.compress !== compress) {
        return startOver(gatewayCode.sessionExpired)
      }
      const wire = new SocketWire({ ws, socket, compress, turn, now: ports.now })
      const code = known.resume(wire, Number(sn), ports.now())
      if (code !== gatewayCode.ok) return startOver(code)
      metrics?.replayed(known.sn - Number(sn))
      journal?.changed(known)
      return attend(ws, known, wire)
    }

    const session = new Session({
      id: ports.uuid(),
      userId: bearer.userId,
      loginId: bearer.loginId,
      compress,
      ...(bearer.dialect && { dialect: bearer.dialect }),
      now: ports.now(),
      ...{ deflate: stored, held, settle },
    })
    // Known before it is checked, so that a revocation in between finds it.
    sessions.set(session.id, session)
    try {
      if (!(await ports.isLoginAlive(bearer.loginId))) {
        drop(session)
        return refuseHello(gatewayCode.badToken)
      }
      await subscribe(session)
      // Written before it is given out: what has a hello can come back.
      if (sessions.has(session.id)) await journal?.settle([session])
    } catch (error) {
      drop(session)
      throw error
    }
    // Revoked, or gone again, while its memberships were read.
    if (!sessions.has(session.id)) return ws.close(closeCode.revoked)
    if (ws.readyState !== ws.OPEN) return drop(session)
    const wire = new SocketWire({ ws, socket, compress, turn, now: ports.now })
    session.open(wire, ports.now())
    journal?.changed(session)
    attend(ws, session, wire)
  }

  /** A session this node does not have, from wherever it is; or the code to start over with. */
  function takeUp(id: string, sn: number, compress: boolean, bearer: Bearer): Promise<Session | number> {
    const underWay = takingUp.get(id) ?? bringHere(id, sn, compress, bearer)
    takingUp.set(id, underWay)
    return underWay.finally(() => takingUp.delete(id))
  }

  async function bringHere(
    id: string,
    sn: number,
    compress: boolean,
    { userId, loginId, dialect = 'specification' }: Bearer,
  ): Promise<Session | number> {
    if (!kept) return gatewayCode.sessionExpired
    const { now } = ports
    const claimed = await claim(kept, {
      ...{ id, userId, loginId, compress, now },
      by: kept.nodeId,
      letGo: kept.letGo,
    })
    if (!claimed) return gatewayCode.sessionExpired
    const session = new Session({
      ...{ id, userId, loginId, compress, dialect, now: now() },
      ...{ deflate: stored, held, settle },
    })
    session.gather()
    sessions.set(id, session)
    try {
      const guilds = new Map<GuildId, { audience: GuildAudience; seq: number }>()
      // A node that lags behind the one the line comes from would tell again what that one told.
      const topics = claimed.row.guilds.map((guildId): Topic => `guild:${guildId}`)
      await ports.topics?.catchUp([`person:${userId}`, ...topics])
      await subscribe(session, (guildId, audience) => {
        const seq = session.gathersFrom?.get(guildId) ?? audience.seq
        if (!guilds.has(guildId)) guilds.set(guildId, { audience, seq })
      })
      const owing = await owed(kept, claimed, sn, { userId, guilds, ownSeq: session.ownFrom }, now())
      // Revoked while all this was read.
      if (!sessions.has(id)) return gatewayCode.sessionExpired
      if ('code' in owing) {
        drop(session)
        return owing.code
      }
      const events = owing.events.map((event) => tellingOf(event).in(dialect))
      session.takeUp(sn, events, now())
      metrics?.rebuilt()
      journal?.changed(session)
      return session
    } catch (error) {
      drop(session)
      throw error
    }
  }

  function attend(ws: WebSocket, session: Session, wire: SocketWire): void {
    ws.on('message', (data) => session.hear(String(data), ports.now()))
    ws.on('close', () => {
      if (session.wire !== wire) return
      session.detach(wire, ports.now())
      if (sessions.has(session.id)) journal?.changed(session)
    })
  }

  const sweep = setInterval(() => {
    const now = ports.now()
    for (const [guildId, feed] of feeds) if (feed.isIdle) letFeedGo(guildId)
    for (const [ws, since] of openings) if (now - since > HELLO_WAIT_MS) ws.close(closeCode.late)
    for (const session of [...sessions.values()]) {
      const silentMs = now - session.heardAt
      const { wire } = session
      if (wire instanceof SocketWire && wire.isBlockedFor(BLOCKED_MAX_MS)) {
        session.detach(wire, now)
        journal?.changed(session)
        wire.letGo()
      } else if (wire && silentMs > IDLE_MS) {
        session.detach(wire, now)
        journal?.changed(session)
        wire.close(closeCode.idle)
      } else if (!wire && !session.isGathering && silentMs > RESUMABLE_MS) drop(session)
    }
    journal?.sweep()
  }, limits.sweepMs ?? SWEEP_MS)
  sweep.unref()
  const unbound = boundPlaces(server, {
    max: limits.perPlace ?? PLACE_CONNECTIONS_MAX,
    isExempt: limits.isExempt ?? nearOr([]),
  })
  server.on('upgrade', onUpgrade)
  metrics?.watch(() => {
    let lines = 0
    for (const session of sessions.values()) if (session.wire) lines += 1
    return { lines, sessions: sessions.size, held: held.count }
  })

  return {
    guildEvent(event) {
      metrics?.lag(Math.max(0, ports.now() - event.at) / SECOND_MS)
      const { user_id } = (event.body ?? {}) as { user_id?: UserId }
      const person =
        user_id && (event.kind === 'joined_guild' || event.kind === 'exited_guild')
          ? people.get(user_id)
          : undefined
      const guildId = event.guildId as GuildId
      if (person) {
        person.changes += 1
        person.guilds.add(guildId)
        for (const session of person.sessions) journal?.changed(session)
      }
      const feed = feeds.get(guildId)
      if (feed) return feed.take(event)
      // Nobody of this guild was here; the one who just joined is.
      if (!person || !user_id || event.kind !== 'joined_guild') return
      hearGuild(guildId, user_id, person).catch(feedPorts.failed)
    },

    personEvent(event) {
      const person = people.get(event.userId as UserId)
      if (!person || event.seq <= person.ownSeq) return
      person.ownSeq = event.seq
      // What happens in a guild is heard here only once somebody here belongs to it.
      if (event.kind === 'self_joined_guild') {
        const { guild_id } = event.body as { guild_id: GuildId }
        person.changes += 1
        person.guilds.add(guild_id)
        for (const session of person.sessions) journal?.changed(session)
        hearGuild(guild_id, event.userId, person).catch(feedPorts.failed)
      }
      journal?.passed(topicOf(event), event.seq)
      const telling = tellingOf(event)
      for (const session of person.sessions) session.deliver(telling.in(session.dialect), ports.now())
      if (event.kind === 'login_ended') revoked((event.body as { login_id: string }).login_id)
    },

    revoked,

    async letGo(sessionId) {
      const session = sessions.get(sessionId)
      if (!session || session.isGathering) return false
      const { wire } = session
      if (wire) {
        session.detach(wire, ports.now())
        wire.close(closeCode.replaced)
      }
      await journal?.settle([session])
      forget(session)
      return true
    },

    isOnline(userId) {
      for (const session of people.get(userId as UserId)?.sessions ?? []) if (session.wire) return true
      return false
    },

    onlineCount: (guildId, counts) => feeds.get(guildId as GuildId)?.audience?.onlineCount(counts) ?? 0,

    onlinePeople() {
      const online = new Set<UserId>()
      for (const session of sessions.values()) if (session.wire) online.add(session.userId)
      return online
    },

    onlineCounts(counts) {
      const online = new Map<GuildId, number>()
      for (const [guildId, { audience }] of feeds) {
        if (audience) online.set(guildId, audience.onlineCount(counts))
      }
      return online
    },

    logins() {
      const logins = new Set<string>()
      for (const { loginId } of sessions.values()) logins.add(loginId)
      return logins
    },

    async drain(ms) {
      closing = true
      const leaving = [...sockets.clients]
      const until = ports.now() + ms
      while (leaving.length > 0) {
        const waves = Math.max(1, Math.ceil((until - ports.now()) / DRAIN_WAVE_MS))
        for (const ws of leaving.splice(0, Math.ceil(leaving.length / waves))) ws.close(RESTARTING)
        if (leaving.length > 0) await new Promise((next) => setTimeout(next, DRAIN_WAVE_MS))
      }
    },

    async close() {
      closing = true
      clearInterval(sweep)
      server.off('upgrade', onUpgrade)
      unbound()
      for (const ws of sockets.clients) ws.close(1000)
      await Promise.race([
        new Promise((done) => sockets.close(done)),
        new Promise((done) => setTimeout(done, 1_000).unref()),
      ])
      for (const ws of sockets.clients) ws.terminate()
      await journal?.close()
    },
  }
}

const turnAway = (socket: Duplex, status: string): void => {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy())
}
