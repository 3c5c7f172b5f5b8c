/** Accepts connections: the upgrade request, the token, then hello or resume. protocol.md §2.2 and §2.3. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { gatewayCode, signal } from '@guildhall/wire/gateway/frame.ts'
import { HELLO_WAIT_MS } from '@guildhall/wire/gateway/timing.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type WebSocket, WebSocketServer } from 'ws'
import { BOT_SYSTEM, clientSystem } from '../kit/clientSystem.ts'
import { closeCode } from './closeCode.ts'
import type { Journal } from './handoff/journal.ts'
import type { ResumeRequest, SessionTakeover } from './handoff/takeover.ts'
import { FRAMES_MAX } from './limit.ts'
import type { Bearer, GatewayPorts } from './ports.ts'
import { GatewaySession, reconnect } from './session.ts'
import type { SessionRegistry } from './sessionRegistry.ts'
import type { Connection, Transport } from './transport/transport.ts'

/** The path of the socket. protocol.md §2.2. */
export const GATEWAY_PATH = '/gateway'

/** The largest frame of a client, bytes; regular ones are tiny. */
const CLIENT_FRAME_MAX_BYTES = 4 * 1024
/** Between two steps of closing connections when the node drains. */
const DRAIN_STEP_MS = 50
/** How long closed sockets may take before they are terminated. */
const CLOSE_WAIT_MS = 1_000

export interface AcceptorPorts
  extends Pick<GatewayPorts, 'readToken' | 'isLoginAlive' | 'osOfLogin' | 'uuid' | 'now' | 'log'> {
  readonly server: Server
  readonly registry: SessionRegistry
  readonly takeover: SessionTakeover
  readonly transport: Transport
  readonly journal: Journal | null
  readonly metrics: { resumed(events: number): void; restarted(): void } | null
  /** Somebody may have come, or gone. */
  onPresence(userId: UserId): void
  /** Handshakes in progress; further upgrade requests are refused. */
  readonly handshakesMax: number
  /** False: this network has begun too many. */
  readonly mayStart: (request: IncomingMessage) => boolean
}

/** A socket whose handshake is in progress. */
interface Handshake {
  readonly ws: WebSocket
  readonly connection: Connection
  readonly compress: boolean
  readonly query: URLSearchParams
  /** What the client says of itself. */
  readonly agent: string | undefined
}

export class ConnectionAcceptor {
  readonly #ports: AcceptorPorts
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: CLIENT_FRAME_MAX_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })
  /**
   * Sockets in the handshake, with its start, ms. A socket that closes stays until the database has answered
   * for it.
   */
  readonly #handshakes = new Map<WebSocket, number>()
  #isClosing = false

  constructor(ports: AcceptorPorts) {
    this.#ports = ports
    ports.server.on('upgrade', this.#onUpgrade)
  }

  /** Closes sockets whose handshake takes too long. */
  closeLateHandshakes(now: number): void {
    for (const [ws, since] of this.#handshakes) if (now - since > HELLO_WAIT_MS) ws.close(closeCode.late)
  }

  /**
   * Refuses new connections, and closes the open ones spread over `ms`, so that their clients reconnect to
   * other nodes.
   */
  async drain(ms: number): Promise<void> {
    const { now } = this.#ports
    this.#isClosing = true
    const open = [...this.#sockets.clients]
    const until = now() + ms
    while (open.length > 0) {
      const steps = Math.max(1, Math.ceil((until - now()) / DRAIN_STEP_MS))
      for (const ws of open.splice(0, Math.ceil(open.length / steps))) ws.close(closeCode.restarting)
      if (open.length > 0) await new Promise((next) => setTimeout(next, DRAIN_STEP_MS))
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#ports.server.off('upgrade', this.#onUpgrade)
    for (const ws of this.#sockets.clients) ws.close(1000)
    await Promise.race([
      new Promise((done) => this.#sockets.close(done)),
      new Promise((done) => setTimeout(done, CLOSE_WAIT_MS).unref()),
    ])
    for (const ws of this.#sockets.clients) ws.terminate()
  }

  readonly #onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { now, log, handshakesMax, mayStart, transport } = this.#ports
    const address = URL.canParse(request.url ?? '', 'ws://x') ? new URL(request.url ?? '', 'ws://x') : null
    if (address?.pathname !== GATEWAY_PATH) return refuseUpgrade(socket, '404 Not Found')
    if (this.#isClosing || this.#handshakes.size >= handshakesMax)
      return refuseUpgrade(socket, '503 Service Unavailable')
    if (!mayStart(request)) return refuseUpgrade(socket, '429 Too Many Requests')
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      const query = address.searchParams
      const compress = query.get('compress') !== '0'
      ws.on('error', this.#onBroken)
      this.#handshakes.set(ws, now())
      const connection = transport.openConnection({ ws, socket, compress, now })
      this.#accept({ ws, connection, compress, query, agent: request.headers['user-agent'] })
        .catch((error: unknown) => {
          log.error({ err: error }, 'a connection could not be opened')
          ws.close(1011)
        })
        .finally(() => this.#handshakes.delete(ws))
    })
  }

  readonly #onBroken = (error: Error): void => this.#ports.log.warn({ err: error }, 'a connection failed')

  async #accept(handshake: Handshake): Promise<void> {
    const { query } = handshake
    const token = query.get('token')
    if (!token) return refuseHello(handshake, gatewayCode.missingArgument)
    const bearer = this.#ports.readToken(token)
    if (bearer === 'expired') return refuseHello(handshake, gatewayCode.tokenExpired)
    if (bearer === 'bad') return refuseHello(handshake, gatewayCode.badToken)
    // Some public clients send `resule`. protocol.md §2.2.
    const isResume = query.get('resume') === '1' || query.get('resule') === '1'
    if (!isResume) return this.#open(handshake, bearer)
    const sn = query.get('sn')
    const sessionId = query.get('session_id') ?? query.get('sessionId')
    if (!sn || !/^\d{1,15}$/.test(sn) || !sessionId)
      return refuse(handshake, reconnect(gatewayCode.missingResumeArgument))
    const { compress } = handshake
    return this.#resume(handshake, { sessionId, sn: Number(sn), compress, bearer })
  }

  async #resume(handshake: Handshake, request: ResumeRequest): Promise<void> {
    const { isLoginAlive, registry, takeover, journal, metrics, now } = this.#ports
    const { ws, connection, compress } = handshake
    const { sessionId, sn, bearer } = request
    const startOver = (code: number) => {
      metrics?.restarted()
      refuse(handshake, reconnect(code))
    }
    if (!(await isLoginAlive(bearer.loginId))) return refuseHello(handshake, gatewayCode.badToken)
    if (ws.readyState !== ws.OPEN) return
    const here = takeover.isInProgress(sessionId) ? undefined : registry.get(sessionId)
    const session = here ?? (await takeover.run(request))
    if (typeof session === 'number') return startOver(session)
    if (ws.readyState !== ws.OPEN) return
    if (session.userId !== bearer.userId || session.compress !== compress)
      return startOver(gatewayCode.sessionExpired)
    const os = await this.#systemOf(handshake, bearer)
    if (ws.readyState !== ws.OPEN) return
    const code = session.resume(connection, sn, now())
    if (code !== gatewayCode.ok) return startOver(code)
    session.os = os
    metrics?.resumed(session.sn - sn)
    journal?.recordSession(session)
    this.#attend(handshake, session)
  }

  async #systemOf({ agent }: Handshake, { loginId, dialect }: Bearer): Promise<string> {
    if (dialect === 'public') return BOT_SYSTEM
    return clientSystem(agent) || ((await this.#ports.osOfLogin?.(loginId)) ?? '')
  }

  async #open(handshake: Handshake, bearer: Bearer): Promise<void> {
    const { userId, loginId, dialect } = bearer
    const { isLoginAlive, registry, journal, transport, uuid, now } = this.#ports
    const { ws, connection, compress } = handshake
    const session = new GatewaySession({
      id: uuid(),
      userId,
      loginId,
      compress,
      transport,
      now: now(),
      ...(dialect && { dialect }),
    })
    registry.add(session)
    try {
      if (!(await isLoginAlive(loginId))) {
        registry.drop(session)
        return refuseHello(handshake, gatewayCode.badToken)
      }
      session.os = await this.#systemOf(handshake, bearer)
      await registry.subscribe(session)
      // Stored before the client knows it: every session with a hello can be resumed.
      if (registry.has(session.id)) await journal?.flushSessions([session])
    } catch (error) {
      registry.drop(session)
      throw error
    }
    // Revoked while its memberships were read.
    if (!registry.has(session.id)) return ws.close(closeCode.revoked)
    if (ws.readyState !== ws.OPEN) return registry.drop(session)
    session.open(connection, now())
    journal?.recordSession(session)
    this.#attend(handshake, session)
  }

  #attend({ ws, connection }: Handshake, session: GatewaySession): void {
    const { registry, journal, now, onPresence } = this.#ports
    onPresence(session.userId)
    let late = 0
    ws.on('message', (data) => {
      if (ws.readyState === ws.OPEN) return session.receive(String(data), now())
      // A client may not know yet that it was closed; one that goes on and on is not waited for.
      late += 1
      if (late > FRAMES_MAX) ws.terminate()
    })
    ws.on('close', () => {
      if (session.connection !== connection) return
      session.detach(connection, now())
      onPresence(session.userId)
      if (registry.has(session.id)) journal?.recordSession(session)
    })
  }
}

function refuse({ connection }: Handshake, frame: object): void {
  connection.send(JSON.stringify(frame))
  connection.close(closeCode.refused)
}

const refuseHello = (handshake: Handshake, code: number): void =>
  refuse(handshake, { s: signal.hello, d: { code } })

function refuseUpgrade(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy())
}
