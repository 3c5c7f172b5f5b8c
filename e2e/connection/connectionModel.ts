/**
 * A model of the connection between pages and the server: the page's real state machine and room, the
 * server's real session and transport, and between them a simulated network, clock and event log. A seed
 * determines everything.
 */

import { deflateSync, inflateSync } from 'node:zlib'
import {
  type ClientFrame,
  type EventData,
  type EventFrame,
  gatewayCode,
  type ServerFrame,
  SYSTEM_EVENT,
  serverFrame,
  signal,
} from '@guildhall/wire/gateway/frame.ts'
import { IDLE_MS, RESUMABLE_MS } from '@guildhall/wire/gateway/timing.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { CALL_TIMEOUT_MS } from '@guildhall/wire/limit.ts'
import { eventOf, messageOf } from '@guildhall/wire/message/event.ts'
import { HISTORY_PAGE_SIZE } from '@guildhall/wire/message/limit.ts'
import { type Message, message as messageSchema, type Reaction } from '@guildhall/wire/message/message.ts'
import { encodeData, systemEvent } from '../../server/src/gateway/encodeEvent.ts'
import { GatewaySession, reconnect } from '../../server/src/gateway/session.ts'
import type { Connection, EventStream, Transport } from '../../server/src/gateway/transport/transport.ts'
import { TRANSPORTS } from '../../server/src/testing/gateway.ts'
import {
  type ConnectionState,
  type Effect,
  type Input,
  idle,
  nextDeadline,
  transition,
} from '../../web/src/gateway/connection.ts'
import { type MessageAction, type MessageChange, parseChange } from '../../web/src/roomStore/messageChange.ts'
import {
  emptyRoom,
  neededPage,
  nextToSend,
  type Outgoing,
  type Room,
  visibleMessages,
} from '../../web/src/roomStore/room.ts'
import type { RoomEvent } from '../../web/src/roomStore/roomEvent.ts'
import { reduceRoom } from '../../web/src/roomStore/roomReducer.ts'

const GUILD = '10'
const emojis = ['[#128077;]', '[#127881;]', '10/abc'].map((id) => ({ id, name: id }))
const CHANNEL = { name: 'hall', type: 1 }
/** How long the page waits before it retries a send or a page of history, ms. */
const RETRY_MS = 3_000
/** How long faults are injected, how long the schedule then has to converge, and how long at most, ms. */
const TROUBLE_MS = 240_000
const REST_MS = 150_000
const REST_MAX_MS = 420_000
/** After the last fault, when a page sends a message to learn that its session receives no events, ms. */
const LAST_MESSAGE_MS = 60_000

/** Why a schedule failed; its seed repeats it. */
export class Broken extends Error {}

/** A pseudo-random generator of numbers from 0 to 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const parsed = messageSchema.parse({
  id: '00000000-0000-4000-8000-000000000000',
  rong_id: '00000000-0000-4000-8000-000000000000',
  channel_id: '20',
  guild_id: GUILD,
  targetId: '20',
  conversationType: 3,
  seq: 1,
  type: 9,
  content: '',
  create_at: 0,
  updated_at: 0,
  author: {
    id: '1',
    username: 'ann',
    identify_num: '0001',
    avatar: '',
    vip_avatar: '',
    is_vip: false,
    bot: false,
    online: true,
    status: 0,
    nickname: 'Ann',
    roles: [],
  },
  nonce: '',
  kmarkdown: {
    raw_content: '',
    mention_part: [],
    mention_role_part: [],
    channel_part: [],
    item_part: [],
  },
  mention: [],
  mention_all: false,
  mention_here: false,
  mention_roles: [],
  quote: null,
  attachments: null,
  embeds: [],
  reactions: [],
  image_name: '',
  revision: 0,
  is_pinned: false,
})
/**
 * A fresh object with the same fields: what the schema builds field by field is slow to copy, and a schedule
 * copies it often.
 */
const template: Message = JSON.parse(JSON.stringify(parsed))

interface Job {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Simulated time: a queue of jobs, earliest first. */
class Time {
  now = 0
  #order = 0
  readonly #heap: Job[] = []

  after(ms: number, run: () => void): void {
    const heap = this.#heap
    const job = { at: this.now + ms, order: this.#order++, run }
    let at = heap.length
    heap.push(job)
    while (at > 0) {
      const up = (at - 1) >> 1
      if (!before(job, heap[up]!)) break
      heap[at] = heap[up]!
      at = up
    }
    heap[at] = job
  }

  /** Runs every job that is due by `end`. */
  runTo(end: number): void {
    for (let job = this.#heap[0]; job && job.at <= end; job = this.#heap[0]) {
      this.#drop()
      this.now = job.at
      job.run()
    }
    this.now = end
  }

  #drop(): void {
    const heap = this.#heap
    const last = heap.pop()!
    const count = heap.length
    if (count === 0) return
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= count) break
      if (down + 1 < count && before(heap[down + 1]!, heap[down]!)) down += 1
      if (!before(heap[down]!, last)) break
      heap[at] = heap[down]!
      at = down
    }
    heap[at] = last
  }
}

const before = (a: Job, b: Job) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** The faults of one schedule. */
interface Faults {
  /** Chances per frame: to be lost, to be overtaken by the next one. */
  readonly drop: number
  readonly swap: number
  /** Chance that a call's request or its answer is lost, and that the server takes seconds over it. */
  readonly lose: number
  readonly slow: number
  readonly latencyMs: number
  readonly busLagMs: number
  /** Every frame is complete, deflated, and parsed by the schemas of the page. */
  readonly full: boolean
}

/** A change of a message; `by` is who makes it. */
type Action = { readonly by: string } & (MessageAction | { readonly kind: 'delete' | 'embed' })

/** The server: stored messages, the event log, and sessions that receive the events. */
class Server {
  /** The stored messages in order, without deleted ones and without reactions. */
  log: Message[] = []
  /** Every message as it was sent, deleted or not. */
  readonly sent = new Map<string, Message>()
  readonly #reactors = new Map<string, Map<string, Set<string>>>()
  readonly #byNonce = new Map<string, string>()
  readonly #sessions = new Map<string, { session: GatewaySession; unsubscribed: boolean }>()
  /** The streams that receive events; grows at its end, and is built again after somebody leaves. */
  #streams: EventStream[] | null = null
  readonly #openTransport: (typeof TRANSPORTS)[number]['open']
  #transport: Transport
  /** The event log: each event in the format of the gateway. */
  readonly #happened: (() => EventData)[] = []
  #seq = 0
  #made = 0
  #published = 0
  /** Counts restarts: jobs of an earlier process do not run. */
  life = 0

  readonly time: Time
  readonly faults: Faults
  readonly random: () => number

  constructor(
    time: Time,
    faults: Faults,
    random: () => number,
    openTransport: (typeof TRANSPORTS)[number]['open'],
  ) {
    this.time = time
    this.faults = faults
    this.random = random
    this.#openTransport = openTransport
    this.#transport = this.#startTransport()
  }

  /** Stores a message once and publishes it a moment later; null when it was stored before and is deleted. */
  append(author: string, nonce: string, content: string): Message | null {
    const key = `${author} ${nonce}`
    const known = this.#byNonce.get(key)
    if (known) return this.#read(known, author)
    // Other events take numbers of the guild too.
    this.#seq += this.random() < 0.2 ? 2 : 1
    const id = `00000000-0000-4000-8000-${String(this.#seq).padStart(12, '0')}`
    const message: Message = {
      ...template,
      id: id as Message['id'],
      rong_id: id as Message['id'],
      seq: this.#seq,
      create_at: this.time.now,
      content,
      nonce,
      author: { ...template.author, id: author as Message['author']['id'] },
    }
    this.log.push(message)
    this.sent.set(id, message)
    this.#byNonce.set(key, id)
    this.#schedulePublish(() =>
      this.faults.full ? eventOf(message, CHANNEL, 'specification') : thin(message),
    )
    return message
  }

  /** Changes a message and publishes that a moment later. Returns its revision; null when it is deleted. */
  act(id: string, action: Action): number | null {
    const at = this.log.findIndex((it) => it.id === id)
    const message = this.log[at]
    if (!message) return null
    const revision = message.revision + 1
    const body = { msg_id: message.id, channel_id: message.channel_id, channel_type: 1, revision }
    const by = action.by as Message['author']['id']
    const to = (more: Partial<Message>, name: MessageChange['name'], fields: object) => {
      this.#seq += 1
      this.log[at] = { ...message, ...more, revision }
      this.#publishChange(name, { ...body, ...fields })
      return revision
    }
    switch (action.kind) {
      case 'edit': {
        if (action.content === message.content) return message.revision
        const { mention, mention_all, mention_here, mention_roles, quote, attachments } = message
        const updated_at = this.time.now
        const kmarkdown = { ...message.kmarkdown, raw_content: action.content }
        const edited = { content: action.content, kmarkdown, updated_at }
        const rest = { mention, mention_all, mention_here, mention_roles, quote, attachments }
        return to({ ...edited, embeds: [] }, 'updated_message', { ...edited, ...rest })
      }
      case 'delete':
        this.#seq += 1
        this.log.splice(at, 1)
        this.#reactors.delete(id)
        this.#publishChange('deleted_message', { ...body, seq: message.seq })
        return revision
      case 'embed': {
        const embeds = [{ type: 'link', url: 'https://page.example', title: message.content }]
        const { id: rong_id, guild_id } = message
        return message.embeds.length > 0
          ? null
          : to({ embeds }, 'embeds_append', { rong_id, guild_id, embeds })
      }
      case 'pin':
      case 'unpin': {
        const is_pinned = action.kind === 'pin'
        if (message.is_pinned === is_pinned) return message.revision
        return to({ is_pinned }, is_pinned ? 'pinned_message' : 'unpinned_message', { operator_id: by })
      }
      case 'react':
      case 'unreact': {
        const all = this.#reactors.get(id) ?? new Map<string, Set<string>>()
        const who = all.get(action.emoji.id) ?? new Set()
        const isOn = action.kind === 'react'
        if (who.has(by) === isOn) return message.revision
        this.#reactors.set(id, all)
        if (isOn) all.set(action.emoji.id, who.add(by))
        else if (who.delete(by) && who.size === 0) all.delete(action.emoji.id)
        const name = isOn ? 'added_reaction' : 'deleted_reaction'
        return to({}, name, { user_id: by, emoji: action.emoji })
      }
    }
  }

  /** Somebody whose page is not part of the schedule changes a message. */
  changeByOther(choice: number, seed: number): void {
    const message = this.log[Math.floor(seed * this.log.length)]
    if (!message) return
    const emoji = emojis[Math.floor(choice * 997) % emojis.length]!
    const by = choice < 0.2 ? '8' : '9'
    if (choice < 0.4) this.act(message.id, { by, kind: this.random() < 0.7 ? 'react' : 'unreact', emoji })
    else if (choice < 0.65) this.act(message.id, { by, kind: 'edit', content: `${message.content}?` })
    else if (choice < 0.72) this.act(message.id, { by, kind: message.is_pinned ? 'unpin' : 'pin' })
    else if (choice < 0.82) this.act(message.id, { by, kind: 'embed' })
    else this.act(message.id, { by, kind: 'delete' })
  }

  /** A stored message as somebody reads it; null when it was deleted. */
  #read(id: string, reader: string): Message | null {
    const message = this.log.find((it) => it.id === id)
    return message ? this.#readBy(message, reader) : null
  }

  /** All that is stored, as somebody reads it. */
  everything(reader: string): Message[] {
    return this.log.map((it) => this.#readBy(it, reader))
  }

  #readBy(message: Message, reader: string): Message {
    const all = this.#reactors.get(message.id)
    if (!all) return message
    const reactions: Reaction[] = [...all].map(([emoji, who]) => ({
      emoji: { id: emoji, name: emoji },
      count: who.size,
      me: who.has(reader),
    }))
    return { ...message, reactions }
  }

  #publishChange(name: MessageChange['name'], body: object): void {
    const seq = this.#happened.length + 1
    const happened = {
      to: 'guild',
      guildId: GUILD as GuildId,
      channelId: null,
      seq,
      kind: name,
      at: this.time.now,
      body,
    } as const
    this.#schedulePublish(() => systemEvent(happened, name, body))
  }

  #schedulePublish(event: () => EventData): void {
    this.#happened.push(event)
    const { life } = this
    this.time.after(this.faults.busLagMs * this.random(), () => life === this.life && this.#publish())
  }

  /** Broadcasts the next event that is stored and not published yet. */
  #publish(): void {
    const happened = this.#happened[this.#published]
    if (!happened) return
    this.#published += 1
    const data = happened()
    this.#streams ??= [...this.#sessions.values()].flatMap(({ session, unsubscribed }) =>
      unsubscribed ? [] : session.stream,
    )
    const event = encodeData(() => data)
    this.#transport.broadcast(this.#streams, event, this.time.now, GUILD as GuildId)
  }

  /** Broadcast events are flushed at once, or after a pause. */
  #startTransport(): Transport {
    const transport: Transport = this.#openTransport({
      scheduleFlush: () =>
        this.time.after(this.random() < 0.5 ? 0 : this.random() * 30, () => transport.flushPending()),
      onError(error) {
        throw error
      },
    })
    return transport
  }

  /** The process is killed and restarted: it knows no session any more. */
  die(): void {
    this.life += 1
    for (const { session } of this.#sessions.values()) session.connection?.close(1006)
    this.#sessions.clear()
    this.#streams = null
    this.#transport = this.#startTransport()
    this.#published = this.#happened.length
  }

  /** Some sessions stop receiving events, which nobody notices. */
  unsubscribeSome(): void {
    for (const one of this.#sessions.values()) if (this.random() < 0.5) one.unsubscribed = true
    this.#streams = null
  }

  page(anchor: string | null, reader: string): Message[] {
    const before = anchor === null ? Number.POSITIVE_INFINITY : this.sent.get(anchor)!.seq
    const found = this.log.findIndex((it) => it.seq >= before)
    const end = found === -1 ? this.log.length : found
    return this.log.slice(Math.max(0, end - HISTORY_PAGE_SIZE), end).map((it) => this.#readBy(it, reader))
  }

  /** Accepts or refuses a connection; `done` gets the session it is attached to. */
  accept(
    userId: string,
    resume: { session: string; sn: number } | null,
    connection: Connection,
    done: (session: GatewaySession) => void,
  ) {
    const send = (frame: object) => connection.send(JSON.stringify(frame))
    this.#sweep()
    if (this.random() < 0.02) {
      send({ s: signal.hello, d: { code: gatewayCode.tokenExpired } })
      return connection.close(4002)
    }
    if (resume) {
      const known = this.#sessions.get(resume.session)?.session
      const code = known ? known.resume(connection, resume.sn, this.time.now) : gatewayCode.sessionExpired
      if (known && code === gatewayCode.ok) return done(known)
      send(reconnect(code))
      return connection.close(4002)
    }
    const session = new GatewaySession({
      id: `s${++this.#made}`,
      userId: userId as GatewaySession['userId'],
      loginId: 'l',
      compress: this.faults.full,
      now: this.time.now,
      transport: this.#transport,
    })
    this.#sessions.set(session.id, { session, unsubscribed: false })
    this.#streams?.push(session.stream)
    const { life } = this
    // The server reads memberships: events may arrive before the hello.
    this.time.after(this.random() * 30, () => {
      if (life !== this.life) return
      session.open(connection, this.time.now)
      done(session)
    })
  }

  /** As the gateway's sweeper: closes idle connections and ends expired sessions. */
  #sweep(): void {
    for (const [id, { session }] of this.#sessions) {
      const { connection } = session
      const silentMs = this.time.now - session.lastSeenAt
      if (!connection && silentMs > RESUMABLE_MS) {
        this.#sessions.delete(id)
        session.end()
        this.#streams = null
      } else if (connection && silentMs > IDLE_MS) {
        session.detach(connection, this.time.now)
        connection.close(4009)
      }
    }
  }
}

const thin = (it: Message): EventData => ({
  channel_type: 'GROUP',
  type: it.type,
  target_id: it.channel_id,
  author_id: it.author.id,
  content: '',
  msg_id: it.id,
  msg_timestamp: it.create_at,
  nonce: it.nonce,
  extra: { guild_id: GUILD, seq: it.seq },
})

/** A person's page: the connection's state machine, one room, and the code that performs their effects. */
class Page {
  connection: ConnectionState = idle
  room: Room
  /** Every nonce in the order of sending. */
  readonly pressed: string[] = []
  /** The send queue of an earlier page. */
  saved: readonly Outgoing[] = []
  /** Until when the network is down, and until when the page is suspended. */
  netDownUntil = 0
  asleepUntil = 0
  /** No more faults are injected. */
  calm = false
  /** Counts reloads: jobs of an earlier page do not run. */
  #life = 0
  #turn = 0
  #socket: { send: (frame: ClientFrame) => void; cut: (silently: boolean) => void } | null = null
  #timer = 0
  #acts = 0
  #loading = false
  #retryAt = 0
  /** The last `sn` delivered, by session: each is delivered once and in order. */
  readonly #delivered = new Map<string, number>()
  #suspendedJobs: (() => void)[] = []

  readonly server: Server
  readonly id: string

  constructor(server: Server, id: string) {
    this.server = server
    this.id = id
    this.room = emptyRoom(id)
  }

  get #time() {
    return this.server.time
  }

  start(): void {
    this.put({ type: 'start' })
    this.putRoom({ type: 'queueRestored', sendQueue: this.saved })
  }

  /** Reloads the page: only the send queue stays, and what was being sent is queued again. */
  reload(): void {
    this.saved = this.room.sendQueue.map((it) => (it.state === 'sending' ? { ...it, state: 'queued' } : it))
    this.#life += 1
    this.#socket?.cut(false)
    this.#socket = null
    this.#suspendedJobs = []
    this.asleepUntil = 0
    this.connection = idle
    this.room = emptyRoom(this.id)
    this.#loading = false
    this.#retryAt = 0
    this.start()
  }

  press(content: string): void {
    this.#whenAwake(() => {
      this.put({ type: 'wanted' })
      const nonce = `${this.id}-${this.pressed.length}`
      this.pressed.push(nonce)
      this.putRoom({ type: 'send', nonce, content, at: this.#time.now })
    })
  }

  /** Changes one of the shown messages, as a tap would. */
  act(choice: number, seed: number): void {
    this.#whenAwake(() => {
      const all = visibleMessages(this.room)
      const own = all.filter((it) => it.author.id === this.id)
      const few = choice < 0.5 ? all : own
      const message = few[Math.floor(seed * few.length)]
      if (!message) return
      const { id } = message
      if (choice > 0.85) {
        const done = () => this.putRoom({ type: 'messageDeleted', id })
        return this.#call(
          () => this.server.act(id, { by: this.id, kind: 'delete' }),
          done,
          () => undefined,
        )
      }
      const emoji = emojis[Math.floor(seed * 997) % emojis.length]!
      const isOn = message.reactions.some((it) => it.me && it.emoji.id === emoji.id)
      this.#do(
        id,
        choice > 0.5
          ? { kind: 'edit', content: `${message.content}!` }
          : choice > 0.4
            ? { kind: message.is_pinned ? 'unpin' : 'pin' }
            : { kind: isOn ? 'unreact' : 'react', emoji },
      )
    })
  }

  #do(id: string, doing: MessageAction): void {
    const key = ++this.#acts
    this.putRoom({ type: 'actionStarted', key, id, action: doing })
    const undone = () => this.putRoom({ type: 'actionFailed', key })
    this.#call(
      () => this.server.act(id, { by: this.id, ...doing }),
      (revision) => (revision === null ? undone() : this.putRoom({ type: 'actionConfirmed', key, revision })),
      undone,
    )
  }

  /** The network is lost, and the page learns of it or not. */
  loseNetwork(ms: number, silently: boolean): void {
    this.netDownUntil = Math.max(this.netDownUntil, this.#time.now + ms)
    this.#socket?.cut(silently)
    if (!silently && this.server.random() < 0.5) this.#whenAwake(() => this.put({ type: 'offline' }))
    this.#time.after(ms, () => {
      if (this.#time.now >= this.netDownUntil && this.server.random() < 0.6)
        this.#whenAwake(() => this.put({ type: 'awake' }))
    })
  }

  breakSocket(silently: boolean): void {
    this.#socket?.cut(silently)
  }

  sleep(ms: number): void {
    this.asleepUntil = Math.max(this.asleepUntil, this.#time.now + ms)
    const life = this.#life
    this.#time.after(ms, () => {
      if (life !== this.#life || this.#time.now < this.asleepUntil) return
      const waiting = this.#suspendedJobs
      this.#suspendedJobs = []
      // Browsers differ in what fires first after a suspension: the timer, the visibility event, or the
      // socket.
      if (this.server.random() < 0.5) this.put({ type: 'awake' })
      for (const one of waiting) one()
      this.put({ type: 'tick' })
    })
  }

  /** Runs now, or when the page is resumed. */
  #whenAwake(work: () => void): void {
    if (this.#time.now < this.asleepUntil) this.#suspendedJobs.push(work)
    else work()
  }

  put(input: Input): void {
    const wasConnected = this.connection.phase === 'connected'
    const [next, effects] = transition(this.connection, input, this.#time.now, this.server.random())
    this.connection = next
    for (const effect of effects) this.#perform(effect)
    this.#setTimer()
    if (!wasConnected && this.connection.phase === 'connected') {
      this.#retryAt = 0
      this.#work()
    }
  }

  #setTimer(): void {
    const due = nextDeadline(this.connection)
    this.#timer += 1
    if (due === null) return
    const mine = this.#timer
    this.#time.after(Math.max(0, due - this.#time.now), () => {
      if (mine === this.#timer && this.#time.now >= this.asleepUntil) this.put({ type: 'tick' })
    })
  }

  #perform(effect: Effect): void {
    switch (effect.do) {
      case 'open':
        return this.#open(effect)
      case 'close':
        this.#turn += 1
        this.#socket?.cut(false)
        this.#socket = null
        return
      case 'send':
        return this.#socket?.send(effect.frame)
      case 'deliver':
        for (const frame of effect.frames) this.#deliver(frame)
        return
      case 'refetch':
        return this.putRoom({ type: 'sessionReset' })
    }
  }

  #deliver(frame: EventFrame): void {
    const session = this.connection.session ?? ''
    const last = this.#delivered.get(session) ?? 0
    if (frame.sn !== last + 1)
      throw new Broken(`${this.id}: session ${session} delivered ${frame.sn} after ${last}`)
    this.#delivered.set(session, frame.sn)
    const { full } = this.server.faults
    if (frame.d.type === SYSTEM_EVENT) {
      const { type: name, body } = frame.d.extra as { type: MessageChange['name']; body: unknown }
      const change = full ? parseChange(name, body) : ({ name, body } as MessageChange)
      if (!change) throw new Broken(`${this.id}: ${name} is not what the contract says`)
      return this.putRoom({ type: 'messageChanged', change })
    }
    const message = full ? messageOf(frame.d) : this.server.sent.get(frame.d.msg_id)
    if (!message) throw new Broken(`${this.id}: an event is no message`)
    this.putRoom({ type: 'messageReceived', message })
  }

  #open(effect: Extract<Effect, { do: 'open' }>): void {
    this.#turn += 1
    const mine = this.#turn
    const current = () => mine === this.#turn
    const connect = () => {
      if (!current()) return
      if (this.#isDown()) return this.#fail(current)
      this.#connect(effect.resume, current)
    }
    if (!effect.refresh) return connect()
    this.#call(
      () => true,
      () => current() && connect(),
      () => current() && this.put({ type: 'closed' }),
    )
  }

  #isDown(): boolean {
    return this.#time.now < this.netDownUntil
  }

  /** A failing connection reports it or stays silent. */
  #fail(current: () => boolean): void {
    if (this.server.random() < 0.5)
      this.#time.after(50, () => this.#whenAwake(() => current() && this.put({ type: 'closed' })))
  }

  #connect(resume: { session: string; sn: number } | null, current: () => boolean): void {
    const { server } = this
    const { faults, random } = server
    let dead = false
    let session: GatewaySession | null = null
    const disconnect = () => {
      dead = true
      if (session) session.detach(connection, this.#time.now)
    }
    const receive = (raw: string | Buffer) => {
      if (!current()) return
      const text = typeof raw === 'string' ? raw : inflateSync(raw).toString()
      const frame: unknown = JSON.parse(text)
      this.put({ type: 'frame', frame: faults.full ? serverFrame.parse(frame) : (frame as ServerFrame) })
    }
    // Frames arrive in order, unless one is overtaken or lost.
    let clear = 0
    const arriveAfter = (run: () => void, mayStray: boolean) => {
      const stray = mayStray && !this.calm ? random() : 1
      if (stray < faults.drop) return
      const at = this.#time.now + faults.latencyMs * (0.5 + random())
      clear = stray < faults.drop + faults.swap ? clear : Math.max(clear, at)
      this.#time.after(Math.max(clear, at) - this.#time.now, () => !dead && run())
    }
    const deliver = (raw: string | Buffer) =>
      arriveAfter(() => this.#whenAwake(() => !dead && receive(raw)), true)
    const connection: Connection = {
      send: (frame) => deliver(faults.full ? deflateSync(frame) : frame),
      sendEvent: (event, sn) => deliver(faults.full ? event.deflated(sn) : event.plain(sn)),
      flush: () => undefined,
      close: () =>
        arriveAfter(() => {
          disconnect()
          this.#whenAwake(() => current() && this.put({ type: 'closed' }))
        }, false),
      isBlockedFor: () => false,
      terminate: () => undefined,
    }
    let asked = 0
    const arriveThere = (run: () => void) => {
      asked = Math.max(asked, this.#time.now + faults.latencyMs * (0.5 + random()))
      this.#time.after(asked - this.#time.now, () => !dead && run())
    }
    this.#socket = {
      send: (frame) => arriveThere(() => session?.receive(JSON.stringify(frame), this.#time.now)),
      cut: (silently) => {
        if (dead) return
        // The server does not notice at first: what it sends meanwhile is lost, and replayed.
        if (silently) {
          dead = true
          return
        }
        disconnect()
        this.#time.after(5, () => this.#whenAwake(() => current() && this.put({ type: 'closed' })))
      },
    }
    arriveThere(() =>
      server.accept(this.id, resume, connection, (accepted) => {
        session = accepted
        if (dead) accepted.detach(connection, this.#time.now)
      }),
    )
  }

  /** An HTTP call: request or answer may be lost, the server may be slow; the page has a timeout. */
  #call<A>(there: () => A, answered: (answer: A) => void, failed: () => void): void {
    const { faults, random } = this.server
    const life = this.#life
    let over = false
    const end = (run: () => void) =>
      this.#whenAwake(() => {
        if (over || life !== this.#life) return
        over = true
        run()
      })
    this.#time.after(CALL_TIMEOUT_MS, () =>
      end(() => {
        this.put({ type: 'unanswered' })
        failed()
      }),
    )
    const lose = this.calm ? 0 : faults.lose
    if (this.#isDown()) {
      if (random() < 0.5) this.#time.after(20, () => end(failed))
      return
    }
    if (random() < lose) return
    const slow = () => (!this.calm && random() < faults.slow ? 7_000 * random() : 0)
    const server = this.server.life
    this.#time.after(faults.latencyMs * random() + slow(), () => {
      if (server !== this.server.life) return
      const answer = there()
      const lost = random() < lose || this.#isDown()
      if (!lost)
        this.#time.after(
          faults.latencyMs * random() * 2,
          () =>
            !this.#isDown() &&
            end(() => {
              this.put({ type: 'wanted' })
              answered(answer)
            }),
        )
    })
  }

  putRoom(event: RoomEvent): void {
    const before = this.room
    this.room = reduceRoom(before, event)
    if (this.room !== before) this.check(before)
    this.#work()
  }

  /** True when the page is connected and has nothing to load or send. */
  get isQuiet(): boolean {
    return this.connection.phase === 'connected' && !this.room.resync && this.room.sendQueue.length === 0
  }

  /** Asserts that nothing is duplicated or out of order. */
  check(before: Room | null): void {
    const { run, sendQueue } = this.room
    if (before?.run !== run)
      for (let i = 1; i < run.length; i += 1)
        if (run[i - 1]!.seq >= run[i]!.seq)
          throw new Broken(`${this.id}: ${run[i]!.seq} is after ${run[i - 1]!.seq}`)
    if (sendQueue.length === 0) return
    const waiting = new Set(sendQueue.map((it) => it.nonce))
    if (waiting.size !== sendQueue.length) throw new Broken(`${this.id}: a message is twice in the outbox`)
    const twice = run.find((it) => it.author.id === this.id && waiting.has(it.nonce))
    if (twice) throw new Broken(`${this.id}: ${twice.nonce} is shown as stored and as unsent`)
  }

  /** Loads what the room wants and sends the next message. */
  #work(): void {
    if (this.#time.now < this.#retryAt) return
    const want = neededPage(this.room)
    if (want && !this.#loading) {
      this.#loading = true
      this.putRoom({ type: 'historyRequested' })
      const { epoch } = this.room
      this.#call(
        () => this.server.page(want.before, this.id),
        (messages) => {
          this.#loading = false
          const newest = messages.at(-1)
          if (newest) this.put({ type: 'known', guild: GUILD, seq: newest.seq })
          this.putRoom({ type: 'pageLoaded', before: want.before, epoch, messages })
        },
        () => {
          this.#loading = false
          this.#later()
          this.putRoom({ type: 'historyFailed' })
        },
      )
    }
    const next = this.connection.phase === 'connected' ? nextToSend(this.room) : null
    if (!next) return
    const { nonce } = next
    const { epoch } = this.room
    this.putRoom({ type: 'sending', nonce })
    this.#call(
      () => this.server.append(this.id, nonce, next.content),
      (message) => {
        if (!message) return this.putRoom({ type: 'discard', nonce })
        this.put({ type: 'known', guild: GUILD, seq: message.seq })
        this.putRoom({ type: 'sent', nonce, epoch, message })
      },
      () => {
        this.#later()
        this.putRoom({ type: 'sendUnanswered', nonce })
      },
    )
  }

  #later(): void {
    const life = this.#life
    this.#retryAt = this.#time.now + RETRY_MS
    this.#time.after(RETRY_MS, () => this.#whenAwake(() => life === this.#life && this.#work()))
  }

  /** Loads the history up to the first message. */
  readToStart(): void {
    for (let first = this.room.run[0]; first && !this.room.atStart; first = this.room.run[0]) {
      const messages = this.server.page(first.id, this.id)
      const before = this.room
      this.room = reduceRoom(before, { type: 'pageLoaded', before: first.id, epoch: before.epoch, messages })
      if (this.room.run.length <= before.run.length && !this.room.atStart)
        throw new Broken(`${this.id}: the past before ${first.seq} is not taken`)
    }
  }
}

/**
 * Runs one schedule: people send messages while faults are injected; after the last fault every page has to
 * converge to the stored messages. Returns the number of messages. @throws Broken with what is wrong
 */
export function play(seed: number, openTransport = TRANSPORTS[0]!.open): number {
  const random = randomOf(seed)
  const some = (chance: number, most: number) => (random() < chance ? random() * most : 0)
  const faults: Faults = {
    drop: some(0.3, 0.2),
    swap: some(0.3, 0.3),
    lose: some(0.6, 0.5),
    slow: some(0.3, 0.4),
    latencyMs: 10 + 400 * random() ** 3,
    busLagMs: 50 * random(),
    full: seed % 50 === 0,
  }
  const time = new Time()
  const server = new Server(time, faults, random, openTransport)
  // Mostly less than a page of history, now and then several.
  const already = random() < 0.9 ? random() * 40 : random() * 170
  for (let n = 0; n < already; n += 1) server.append('9', `old-${n}`, '')
  const pages = ['1', '2'].slice(0, random() < 0.6 ? 1 : 2).map((id) => new Page(server, id))
  for (const page of pages) time.after(random() * 1_000, () => page.start())

  const needingAttention = 2 + Math.floor(random() * 6)
  let isUnsubscribed = false
  for (let n = 0; n < needingAttention; n += 1) {
    const page = pages[Math.floor(random() * pages.length)]!
    const kind = random()
    const ms = random() < 0.8 ? random() * 30_000 : random() * 150_000
    const silently = random() < 0.5
    time.after(random() * TROUBLE_MS, () => {
      if (kind < 0.3) page.breakSocket(silently)
      else if (kind < 0.55) page.loseNetwork(ms, silently)
      else if (kind < 0.7) page.sleep(ms * 2)
      else if (kind < 0.85) server.die()
      else if (kind < 0.93) page.reload()
      else {
        isUnsubscribed = true
        server.unsubscribeSome()
      }
    })
  }
  const says = 2 + Math.floor(random() * 8)
  for (let n = 0; n < says; n += 1) {
    const page = pages[Math.floor(random() * pages.length)]!
    const at = random() * TROUBLE_MS
    time.after(at, () => page.press(`say ${n}`))
    // Some messages are sent twice in a row, others answer, and now and then all send at once.
    if (random() < 0.3) time.after(at + 1, () => page.press(`more ${n}`))
    const answers = random() < 0.04 ? 20 + random() * 90 : random() * 3
    for (let i = 1; i < answers; i += 1)
      time.after(at + random() * 500, () => void server.append('9', `answer-${n}-${i}`, ''))
  }

  const actions = Math.floor(random() * 10)
  for (let n = 0; n < actions; n += 1) {
    const choice = random()
    const seed = random()
    const at = random() * TROUBLE_MS
    const page = random() < 0.5 ? pages[Math.floor(random() * pages.length)]! : null
    // Mostly to recent messages, and now and then several at once.
    const times = random() < 0.2 ? 3 : 1
    for (let i = 0; i < times; i += 1)
      time.after(at + i, () => (page ? page.act(choice, seed) : server.changeByOther(choice, seed ** 0.3)))
  }

  time.runTo(TROUBLE_MS)
  for (const page of pages) page.calm = true
  // A page notices an unsubscribed session by something it knows, such as its own message.
  if (isUnsubscribed)
    for (const page of pages) time.after(LAST_MESSAGE_MS, () => page.press('is anybody connected'))
  const troubled = pages.flatMap((page) => [page.asleepUntil, page.netDownUntil])
  const last = Math.max(...troubled, TROUBLE_MS + LAST_MESSAGE_MS)
  time.runTo(last + REST_MS)
  if (!pages.every((page) => page.isQuiet)) time.runTo(last + REST_MAX_MS)

  for (const page of pages) {
    page.check(null)
    assertConverged(page, server)
  }
  return server.sent.size
}

/** Asserts that the page shows what is stored, with all changes. */
function assertConverged(page: Page, server: Server): void {
  page.readToStart()
  const stored = [...server.everything(page.id)]
  const identitiesOf = (it: Message) =>
    it.reactions.map((one) => `${one.emoji.id}${one.count}${one.me ? '*' : ''}`)
  const face = (it: Message) =>
    `${it.seq}.${it.revision}${it.is_pinned ? 'p' : ''} ${it.content} ${it.updated_at} ${identitiesOf(it)}`
  const wrong = (why: string) => {
    const lists = `\n shown  ${visibleMessages(page.room).map(face).join(' | ')}\n stored ${stored.map(face).join(' | ')}`
    throw new Broken(`${page.id}: ${why}${lists}`)
  }
  if (page.connection.phase !== 'connected') wrong(`the connection is ${page.connection.phase} in the end`)
  if (page.room.resync) wrong('the room still wants a page in the end')
  if (page.room.sendQueue.length > 0) wrong(`unsent in the end: ${page.room.sendQueue.map((it) => it.nonce)}`)
  if (page.room.optimisticActions.length > 0)
    wrong(`undone in the end: ${page.room.optimisticActions.map((it) => it.action.kind)}`)
  const all = visibleMessages(page.room)
  if (all.length !== stored.length) wrong('the list is not what is stored')
  for (const [at, it] of stored.entries())
    if (face(it) !== face(all[at]!)) wrong(`${it.seq} is not as stored`)
  const own = [...server.sent.values()].filter((it) => it.author.id === page.id).map((it) => it.nonce)
  if (own.join(' ') !== page.pressed.join(' ')) wrong(`pressed ${page.pressed}, stored ${own}`)
}
