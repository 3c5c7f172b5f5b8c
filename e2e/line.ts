/**
 * The line between pages and server as a model: the page's real machine and real room, the server's real session,
 * and between them a network, a clock and a log that a seed decides about. Nothing waits, nothing is random twice.
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
import { CALL_TIMEOUT_MS, PAGE_SIZE } from '@guildhall/wire/limit.ts'
import { eventOf, messageOf } from '@guildhall/wire/message/event.ts'
import { type Message, message as messageSchema, type Reaction } from '@guildhall/wire/message/message.ts'
import { Deliveries } from '../server/src/gateway/deliveries.ts'
import { systemEvent } from '../server/src/gateway/feed.ts'
import { SharedEvent } from '../server/src/gateway/frames.ts'
import { reconnect, Session, type Wire } from '../server/src/gateway/session.ts'
import { dueOf, type Effect, type Input, idle, type Line, step } from '../web/src/gateway/connection.ts'
import { type Change, changeOf, type Doing } from '../web/src/message/change.ts'
import {
  apply,
  emptyRoom,
  nextToSend,
  type Outgoing,
  type Room,
  type RoomEvent,
  shown,
  wanted,
} from '../web/src/message/room.ts'

const GUILD = '10'
const emojis = ['[#128077;]', '[#127881;]', '10/abc'].map((id) => ({ id, name: id }))
const CHANNEL = { name: 'hall', type: 1 }
/** As long as the page waits before it tries a send or a page of history again, ms. */
const RETRY_MS = 3_000
/** How long a schedule is troubled, how long it has to come to rest after the last trouble, and how long at most, ms. */
const TROUBLE_MS = 240_000
const REST_MS = 150_000
const REST_MAX_MS = 420_000
/** Into the calm, when a page that cannot know that its line is deaf learns it from its own words, ms. */
const LAST_WORD_MS = 60_000

/** What a broken schedule says; the seed is enough to see it again. */
export class Broken extends Error {}

/** Numbers from 0 to 1 that a seed decides. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const template = messageSchema.parse({
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

interface Job {
  readonly at: number
  readonly order: number
  readonly run: () => void
}

/** Virtual time: what is to happen, earliest first. */
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

  /** Lets everything happen that is due by `end`. */
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

/** What the seed decides about one schedule. */
interface Weather {
  /** Chances per frame: to be lost by itself, to be overtaken by the next one. */
  readonly drop: number
  readonly swap: number
  /** Chance that a call's request or its answer is lost, and that the server takes seconds over it. */
  readonly lose: number
  readonly slow: number
  readonly latencyMs: number
  readonly busLagMs: number
  /** Every frame in full, deflated, and read by the schemas the page uses. */
  readonly full: boolean
}

/** What somebody does to a message; `by` is who. */
type Deed = { readonly by: string } & (Doing | { readonly kind: 'delete' | 'embed' })

/** The server: what it has stored, the log of what happened, and sessions that hear of it. */
class TestServer {
  /** What is stored now, in order, without what was deleted. Reactions lie beside it. */
  log: Message[] = []
  /** Every message as it was sent, deleted or not. */
  readonly sent = new Map<string, Message>()
  readonly #reactors = new Map<string, Map<string, Set<string>>>()
  readonly #byNonce = new Map<string, string>()
  readonly #sessions = new Map<string, { session: Session; deaf: boolean }>()
  /** Who hears what happens; grows at its end, and is made anew when somebody hears no more. */
  #listeners: Session[] | null = null
  #deliveries = this.#openDeliveries()
  /** The event log: how each event looks on the wire. */
  readonly #happened: (() => EventData)[] = []
  #seq = 0
  #made = 0
  #published = 0
  /** Counts restarts: what a former process was about to do is not done. */
  life = 0

  readonly time: Time
  readonly weather: Weather
  readonly random: () => number

  constructor(time: Time, weather: Weather, random: () => number) {
    this.time = time
    this.weather = weather
    this.random = random
  }

  /** Stores a message once and tells everybody a moment later; null when it was stored once and deleted since. */
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
    this.#tell(() => (this.weather.full ? eventOf(message, CHANNEL, 'specification') : thin(message)))
    return message
  }

  /** Does something to a message and tells everybody a moment later; answers its revision, null when it is deleted. */
  act(id: string, deed: Deed): number | null {
    const at = this.log.findIndex((it) => it.id === id)
    const message = this.log[at]
    if (!message) return null
    const revision = message.revision + 1
    const body = { msg_id: message.id, channel_id: message.channel_id, channel_type: 1, revision }
    const by = deed.by as Message['author']['id']
    const to = (more: Partial<Message>, name: Change['name'], told: object) => {
      this.#seq += 1
      this.log[at] = { ...message, ...more, revision }
      this.#tellChange(name, { ...body, ...told })
      return revision
    }
    switch (deed.kind) {
      case 'edit': {
        if (deed.content === message.content) return message.revision
        const { mention, mention_all, mention_here, mention_roles, quote, attachments } = message
        const updated_at = this.time.now
        const kmarkdown = { ...message.kmarkdown, raw_content: deed.content }
        const words = { content: deed.content, kmarkdown, updated_at }
        const rest = { mention, mention_all, mention_here, mention_roles, quote, attachments }
        return to({ ...words, embeds: [] }, 'updated_message', { ...words, ...rest })
      }
      case 'delete':
        this.#seq += 1
        this.log.splice(at, 1)
        this.#reactors.delete(id)
        this.#tellChange('deleted_message', { ...body, seq: message.seq })
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
        const is_pinned = deed.kind === 'pin'
        if (message.is_pinned === is_pinned) return message.revision
        return to({ is_pinned }, is_pinned ? 'pinned_message' : 'unpinned_message', { operator_id: by })
      }
      case 'react':
      case 'unreact': {
        const all = this.#reactors.get(id) ?? new Map<string, Set<string>>()
        const who = all.get(deed.emoji.id) ?? new Set()
        const isOn = deed.kind === 'react'
        if (who.has(by) === isOn) return message.revision
        this.#reactors.set(id, all)
        if (isOn) all.set(deed.emoji.id, who.add(by))
        else if (who.delete(by) && who.size === 0) all.delete(deed.emoji.id)
        const name = isOn ? 'added_reaction' : 'deleted_reaction'
        return to({}, name, { user_id: by, emoji: deed.emoji })
      }
    }
  }

  /** Somebody whose page is not part of the schedule does something to a message. */
  meddle(choice: number, seed: number): void {
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

  #tellChange(name: Change['name'], body: object): void {
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
    this.#tell(() => systemEvent(happened, name, body))
  }

  #tell(event: () => EventData): void {
    this.#happened.push(event)
    const { life } = this
    this.time.after(this.weather.busLagMs * this.random(), () => life === this.life && this.#publish())
  }

  /** Hands on what is stored and not yet told, in order. */
  #publish(): void {
    const happened = this.#happened[this.#published]
    if (!happened) return
    this.#published += 1
    const event = new SharedEvent(happened())
    this.#listeners ??= [...this.#sessions.values()].filter(({ deaf }) => !deaf).map(({ session }) => session)
    this.#deliveries.add(this.#listeners, { in: () => event }, this.time.now, GUILD as GuildId)
  }

  /** What waits for the lines goes when sockets are written to: soon, or after a rest. */
  #openDeliveries(): Deliveries {
    const deliveries: Deliveries = new Deliveries(
      () => this.time.after(this.random() < 0.5 ? 0 : this.random() * 30, () => deliveries.settle()),
      (error) => {
        throw error
      },
    )
    return deliveries
  }

  /** The process is killed and another one takes its place: no session is known any more. */
  die(): void {
    this.life += 1
    for (const { session } of this.#sessions.values()) session.wire?.close(1006)
    this.#sessions.clear()
    this.#listeners = null
    this.#deliveries = this.#openDeliveries()
    this.#published = this.#happened.length
  }

  /** Some session stops getting events without anybody noticing. */
  deafen(): void {
    for (const one of this.#sessions.values()) if (this.random() < 0.5) one.deaf = true
    this.#listeners = null
  }

  page(anchor: string | null, reader: string): Message[] {
    const before = anchor === null ? Number.POSITIVE_INFINITY : this.sent.get(anchor)!.seq
    const found = this.log.findIndex((it) => it.seq >= before)
    const end = found === -1 ? this.log.length : found
    return this.log.slice(Math.max(0, end - PAGE_SIZE), end).map((it) => this.#readBy(it, reader))
  }

  /** A socket is accepted: answers the session it is attached to, or null after refusing it. */
  accept(
    userId: string,
    resume: { session: string; sn: number } | null,
    wire: Wire,
    done: (session: Session) => void,
  ) {
    const say = (frame: object) => {
      const words = JSON.stringify(frame)
      wire.send(this.weather.full ? deflateSync(words) : words)
    }
    this.#lapse()
    if (this.random() < 0.02) {
      say({ s: signal.hello, d: { code: gatewayCode.tokenExpired } })
      return wire.close(4002)
    }
    if (resume) {
      const known = this.#sessions.get(resume.session)?.session
      const code = known ? known.resume(wire, resume.sn, this.time.now) : gatewayCode.sessionExpired
      if (known && code === gatewayCode.ok) return done(known)
      say(reconnect(code))
      return wire.close(4002)
    }
    const session = new Session({
      id: `s${++this.#made}`,
      userId: userId as Session['userId'],
      loginId: 'l',
      compress: this.weather.full,
      now: this.time.now,
      deflate: deflateSync,
      held: this.#deliveries.held,
      settle: this.#deliveries.settle,
    })
    this.#sessions.set(session.id, { session, deaf: false })
    this.#listeners?.push(session)
    const { life } = this
    // Its memberships are read: events may come before the hello.
    this.time.after(this.random() * 30, () => {
      if (life !== this.life) return
      session.open(wire, this.time.now)
      done(session)
    })
  }

  /** What the sweep of the gateway does: silent lines are let go, and lost sessions after a while. */
  #lapse(): void {
    for (const [id, { session }] of this.#sessions) {
      const silent = this.time.now - session.heardAt
      if (!session.wire && silent > RESUMABLE_MS) {
        this.#sessions.delete(id)
        session.end()
        this.#listeners = null
      } else if (session.wire && silent > IDLE_MS) {
        const { wire } = session
        session.detach(wire, this.time.now)
        wire.close(4009)
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

/** A person's page: the machine, one room, and what carries out their wishes. */
class Page {
  line: Line = idle
  room: Room
  /** Every nonce in the order of pressing. */
  readonly pressed: string[] = []
  /** What an earlier page left in the outbox. */
  saved: readonly Outgoing[] = []
  /** Until when nothing gets through, and until when the page does not run. */
  netDownUntil = 0
  asleepUntil = 0
  /** Nothing breaks any more. */
  calm = false
  /** A page is what lives between two reloads. */
  #life = 0
  #turn = 0
  #socket: { say: (frame: ClientFrame) => void; cut: (silently: boolean) => void } | null = null
  #timer = 0
  #acts = 0
  #loading = false
  #retryAt = 0
  /** The number of the event delivered last, by session: each comes once and in order. */
  readonly #delivered = new Map<string, number>()
  #inbox: (() => void)[] = []

  readonly house: TestServer
  readonly id: string

  constructor(house: TestServer, id: string) {
    this.house = house
    this.id = id
    this.room = emptyRoom(id)
  }

  get #time() {
    return this.house.time
  }

  start(): void {
    this.put({ type: 'start' })
    this.putRoom({ type: 'restored', outbox: this.saved })
  }

  /** The page is loaded anew: only the outbox is still there, what was under way waiting again. */
  reload(): void {
    this.saved = this.room.outbox.map((it) => (it.state === 'sending' ? { ...it, state: 'queued' } : it))
    this.#life += 1
    this.#socket?.cut(false)
    this.#socket = null
    this.#inbox = []
    this.asleepUntil = 0
    this.line = idle
    this.room = emptyRoom(this.id)
    this.#loading = false
    this.#retryAt = 0
    this.start()
  }

  press(content: string): void {
    this.#here(() => {
      const nonce = `${this.id}-${this.pressed.length}`
      this.pressed.push(nonce)
      this.putRoom({ type: 'send', nonce, content, at: this.#time.now })
    })
  }

  /** Does something to one of the messages on screen, as a tap would. */
  act(choice: number, seed: number): void {
    this.#here(() => {
      const all = shown(this.room)
      const own = all.filter((it) => it.author.id === this.id)
      const few = choice < 0.5 ? all : own
      const message = few[Math.floor(seed * few.length)]
      if (!message) return
      const { id } = message
      if (choice > 0.85) {
        const done = () => this.putRoom({ type: 'removed', id })
        return this.#call(
          () => this.house.act(id, { by: this.id, kind: 'delete' }),
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

  #do(id: string, doing: Doing): void {
    const key = ++this.#acts
    this.putRoom({ type: 'act', key, id, doing })
    const undone = () => this.putRoom({ type: 'unacted', key })
    this.#call(
      () => this.house.act(id, { by: this.id, ...doing }),
      (revision) => (revision === null ? undone() : this.putRoom({ type: 'acted', key, revision })),
      undone,
    )
  }

  /** The network goes, with or without the page being told. */
  loseNetwork(ms: number, silently: boolean): void {
    this.netDownUntil = Math.max(this.netDownUntil, this.#time.now + ms)
    this.#socket?.cut(silently)
    this.#time.after(ms, () => {
      if (this.#time.now >= this.netDownUntil && this.house.random() < 0.6)
        this.#here(() => this.put({ type: 'awake' }))
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
      const waiting = this.#inbox
      this.#inbox = []
      // What the browser says first on waking differs: the timer, the tab's own event, or the socket.
      if (this.house.random() < 0.5) this.put({ type: 'awake' })
      for (const one of waiting) one()
      this.put({ type: 'tick' })
    })
  }

  /** Does what the page would do now, or when it wakes. */
  #here(work: () => void): void {
    if (this.#time.now < this.asleepUntil) this.#inbox.push(work)
    else work()
  }

  put(input: Input): void {
    const stood = this.line.phase === 'connected'
    const [line, effects] = step(this.line, input, this.#time.now, this.house.random())
    this.line = line
    for (const effect of effects) this.#perform(effect)
    this.#setTimer()
    if (!stood && this.line.phase === 'connected') {
      this.#retryAt = 0
      this.#work()
    }
  }

  #setTimer(): void {
    const due = dueOf(this.line)
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
        return this.#socket?.say(effect.frame)
      case 'deliver':
        for (const frame of effect.frames) this.#deliver(frame)
        return
      case 'refetch':
        return this.putRoom({ type: 'reset' })
    }
  }

  #deliver(frame: EventFrame): void {
    const session = this.line.session ?? ''
    const last = this.#delivered.get(session) ?? 0
    if (frame.sn !== last + 1)
      throw new Broken(`${this.id}: session ${session} delivered ${frame.sn} after ${last}`)
    this.#delivered.set(session, frame.sn)
    const { full } = this.house.weather
    if (frame.d.type === SYSTEM_EVENT) {
      const { type: name, body } = frame.d.extra as { type: Change['name']; body: unknown }
      const change = full ? changeOf(name, body) : ({ name, body } as Change)
      if (!change) throw new Broken(`${this.id}: ${name} is not what the contract says`)
      return this.putRoom({ type: 'changed', change })
    }
    const message = full ? messageOf(frame.d) : this.house.sent.get(frame.d.msg_id)
    if (!message) throw new Broken(`${this.id}: an event is no message`)
    this.putRoom({ type: 'arrived', message })
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

  /** A connection that cannot be made says so, or says nothing at all. */
  #fail(current: () => boolean): void {
    if (this.house.random() < 0.5)
      this.#time.after(50, () => this.#here(() => current() && this.put({ type: 'closed' })))
  }

  #connect(resume: { session: string; sn: number } | null, current: () => boolean): void {
    const { house } = this
    const { weather, random } = house
    let dead = false
    let session: Session | null = null
    const gone = () => {
      dead = true
      if (session) session.detach(wire, this.#time.now)
    }
    const hear = (raw: string | Buffer) => {
      if (!current()) return
      const words = typeof raw === 'string' ? raw : inflateSync(raw).toString()
      const frame: unknown = JSON.parse(words)
      this.put({ type: 'frame', frame: weather.full ? serverFrame.parse(frame) : (frame as ServerFrame) })
    }
    // What is on its way arrives in the order of leaving, unless a frame is overtaken or lost.
    let clear = 0
    const arriveAfter = (run: () => void, mayStray: boolean) => {
      const stray = mayStray && !this.calm ? random() : 1
      if (stray < weather.drop) return
      const at = this.#time.now + weather.latencyMs * (0.5 + random())
      clear = stray < weather.drop + weather.swap ? clear : Math.max(clear, at)
      this.#time.after(Math.max(clear, at) - this.#time.now, () => !dead && run())
    }
    const wire: Wire = {
      send: (frame) => arriveAfter(() => this.#here(() => !dead && hear(frame)), true),
      close: () =>
        arriveAfter(() => {
          gone()
          this.#here(() => current() && this.put({ type: 'closed' }))
        }, false),
    }
    let asked = 0
    const arriveThere = (run: () => void) => {
      asked = Math.max(asked, this.#time.now + weather.latencyMs * (0.5 + random()))
      this.#time.after(asked - this.#time.now, () => !dead && run())
    }
    this.#socket = {
      say: (frame) => arriveThere(() => session?.hear(JSON.stringify(frame), this.#time.now)),
      cut: (silently) => {
        if (dead) return
        gone()
        // The server may go on believing in it for a while: what it sends then is lost, and replayed.
        if (silently && session) session.wire = wire
        if (!silently) this.#time.after(5, () => this.#here(() => current() && this.put({ type: 'closed' })))
      },
    }
    arriveThere(() =>
      house.accept(this.id, resume, wire, (made) => {
        session = made
        if (dead) made.detach(wire, this.#time.now)
      }),
    )
  }

  /** A call: the request may be lost, the server slow, the answer lost; the page gives up after its limit. */
  #call<A>(there: () => A, answered: (answer: A) => void, failed: () => void): void {
    const { weather, random } = this.house
    const life = this.#life
    let over = false
    const end = (run: () => void) =>
      this.#here(() => {
        if (over || life !== this.#life) return
        over = true
        run()
      })
    this.#time.after(CALL_TIMEOUT_MS, () => end(failed))
    const lose = this.calm ? 0 : weather.lose
    if (this.#isDown()) {
      if (random() < 0.5) this.#time.after(20, () => end(failed))
      return
    }
    if (random() < lose) return
    const slow = () => (!this.calm && random() < weather.slow ? 7_000 * random() : 0)
    const house = this.house.life
    this.#time.after(weather.latencyMs * random() + slow(), () => {
      if (house !== this.house.life) return
      const answer = there()
      const lost = random() < lose || this.#isDown()
      if (!lost)
        this.#time.after(
          weather.latencyMs * random() * 2,
          () => !this.#isDown() && end(() => answered(answer)),
        )
    })
  }

  putRoom(event: RoomEvent): void {
    const before = this.room
    this.room = apply(before, event)
    if (this.room !== before) this.check(before)
    this.#work()
  }

  /** Nothing is under way that this page knows of. */
  get isQuiet(): boolean {
    return this.line.phase === 'connected' && !this.room.fresh && this.room.outbox.length === 0
  }

  /** Nothing doubled and nothing out of order, at any moment. */
  check(before: Room | null): void {
    const { run, outbox } = this.room
    if (before?.run !== run)
      for (let i = 1; i < run.length; i += 1)
        if (run[i - 1]!.seq >= run[i]!.seq)
          throw new Broken(`${this.id}: ${run[i]!.seq} stands after ${run[i - 1]!.seq}`)
    if (outbox.length === 0) return
    const waiting = new Set(outbox.map((it) => it.nonce))
    if (waiting.size !== outbox.length) throw new Broken(`${this.id}: a message is twice in the outbox`)
    const twice = run.find((it) => it.author.id === this.id && waiting.has(it.nonce))
    if (twice) throw new Broken(`${this.id}: ${twice.nonce} is shown as stored and as unsent`)
  }

  /** Asks for what the room wants and sends whose turn it is. */
  #work(): void {
    if (this.#time.now < this.#retryAt) return
    const want = wanted(this.room)
    if (want && !this.#loading) {
      this.#loading = true
      this.putRoom({ type: 'asked' })
      const { turn } = this.room
      this.#call(
        () => this.house.page(want.before, this.id),
        (messages) => {
          this.#loading = false
          const newest = messages.at(-1)
          if (newest) this.put({ type: 'known', guild: GUILD, seq: newest.seq })
          this.putRoom({ type: 'page', before: want.before, turn, messages })
        },
        () => {
          this.#loading = false
          this.#later()
          this.putRoom({ type: 'unasked' })
        },
      )
    }
    const next = this.line.phase === 'connected' ? nextToSend(this.room) : null
    if (!next) return
    const { nonce } = next
    const { turn } = this.room
    this.putRoom({ type: 'sending', nonce })
    this.#call(
      () => this.house.append(this.id, nonce, next.content),
      (message) => {
        if (!message) return this.putRoom({ type: 'discard', nonce })
        this.put({ type: 'known', guild: GUILD, seq: message.seq })
        this.putRoom({ type: 'sent', nonce, turn, message })
      },
      () => {
        this.#later()
        this.putRoom({ type: 'unanswered', nonce })
      },
    )
  }

  #later(): void {
    const life = this.#life
    this.#retryAt = this.#time.now + RETRY_MS
    this.#time.after(RETRY_MS, () => this.#here(() => life === this.#life && this.#work()))
  }

  /** Reads up to the first message, as a person who scrolls would. */
  readToStart(): void {
    for (let first = this.room.run[0]; first && !this.room.atStart; first = this.room.run[0]) {
      const messages = this.house.page(first.id, this.id)
      const before = this.room
      this.room = apply(before, { type: 'page', before: first.id, turn: before.turn, messages })
      if (this.room.run.length <= before.run.length && !this.room.atStart)
        throw new Broken(`${this.id}: the past before ${first.seq} is not taken`)
    }
  }
}

/**
 * Plays one schedule: some people talk while everything breaks, then nothing breaks any more; in the end every list
 * is the log. @throws Broken with what is wrong
 */
export function play(seed: number): number {
  const random = randomOf(seed)
  const some = (chance: number, most: number) => (random() < chance ? random() * most : 0)
  const weather: Weather = {
    drop: some(0.3, 0.2),
    swap: some(0.3, 0.3),
    lose: some(0.6, 0.5),
    slow: some(0.3, 0.4),
    latencyMs: 10 + 400 * random() ** 3,
    busLagMs: 50 * random(),
    full: seed % 50 === 0,
  }
  const time = new Time()
  const house = new TestServer(time, weather, random)
  // Mostly less than a page, now and then several.
  const already = random() < 0.9 ? random() * 40 : random() * 170
  for (let n = 0; n < already; n += 1) house.append('9', `old-${n}`, '')
  const pages = ['1', '2'].slice(0, random() < 0.6 ? 1 : 2).map((id) => new Page(house, id))
  for (const page of pages) time.after(random() * 1_000, () => page.start())

  const troubles = 2 + Math.floor(random() * 6)
  let isDeaf = false
  for (let n = 0; n < troubles; n += 1) {
    const page = pages[Math.floor(random() * pages.length)]!
    const kind = random()
    const ms = random() < 0.8 ? random() * 30_000 : random() * 150_000
    const silently = random() < 0.5
    time.after(random() * TROUBLE_MS, () => {
      if (kind < 0.3) page.breakSocket(silently)
      else if (kind < 0.55) page.loseNetwork(ms, silently)
      else if (kind < 0.7) page.sleep(ms * 2)
      else if (kind < 0.85) house.die()
      else if (kind < 0.93) page.reload()
      else {
        isDeaf = true
        house.deafen()
      }
    })
  }
  const says = 2 + Math.floor(random() * 8)
  for (let n = 0; n < says; n += 1) {
    const page = pages[Math.floor(random() * pages.length)]!
    const at = random() * TROUBLE_MS
    time.after(at, () => page.press(`say ${n}`))
    // Somebody presses twice in a row, others answer, and now and then all talk at once.
    if (random() < 0.3) time.after(at + 1, () => page.press(`more ${n}`))
    const answers = random() < 0.04 ? 20 + random() * 90 : random() * 3
    for (let i = 1; i < answers; i += 1)
      time.after(at + random() * 500, () => void house.append('9', `answer-${n}-${i}`, ''))
  }

  const deeds = Math.floor(random() * 10)
  for (let n = 0; n < deeds; n += 1) {
    const choice = random()
    const seed = random()
    const at = random() * TROUBLE_MS
    const page = random() < 0.5 ? pages[Math.floor(random() * pages.length)]! : null
    // Mostly to what is new, where the schedule is at work, and now and then several at once.
    const times = random() < 0.2 ? 3 : 1
    for (let i = 0; i < times; i += 1)
      time.after(at + i, () => (page ? page.act(choice, seed) : house.meddle(choice, seed ** 0.3)))
  }

  time.runTo(TROUBLE_MS)
  for (const page of pages) page.calm = true
  // A line that is deaf is noticed by something the page knows of, such as its own words.
  if (isDeaf) for (const page of pages) time.after(LAST_WORD_MS, () => page.press('does anybody hear me'))
  const troubled = pages.flatMap((page) => [page.asleepUntil, page.netDownUntil])
  const last = Math.max(...troubled, TROUBLE_MS + LAST_WORD_MS)
  time.runTo(last + REST_MS)
  if (!pages.every((page) => page.isQuiet)) time.runTo(last + REST_MAX_MS)

  for (const page of pages) {
    page.check(null)
    agree(page, house)
  }
  return house.sent.size
}

/** What the page shows is what is stored, with all that happened to it. */
function agree(page: Page, house: TestServer): void {
  page.readToStart()
  const stored = [...house.everything(page.id)]
  const facesOf = (it: Message) =>
    it.reactions.map((one) => `${one.emoji.id}${one.count}${one.me ? '*' : ''}`)
  const face = (it: Message) =>
    `${it.seq}.${it.revision}${it.is_pinned ? 'p' : ''} ${it.content} ${it.updated_at} ${facesOf(it)}`
  const wrong = (why: string) => {
    const lists = `\n shown  ${shown(page.room).map(face).join(' | ')}\n stored ${stored.map(face).join(' | ')}`
    throw new Broken(`${page.id}: ${why}${lists}`)
  }
  if (page.line.phase !== 'connected') wrong(`the line is ${page.line.phase} in the end`)
  if (page.room.fresh) wrong('the room still wants a page in the end')
  if (page.room.outbox.length > 0) wrong(`unsent in the end: ${page.room.outbox.map((it) => it.nonce)}`)
  if (page.room.acts.length > 0) wrong(`undone in the end: ${page.room.acts.map((it) => it.doing.kind)}`)
  const all = shown(page.room)
  if (all.length !== stored.length) wrong('the list is not what is stored')
  for (const [at, it] of stored.entries())
    if (face(it) !== face(all[at]!)) wrong(`${it.seq} is not as stored`)
  const own = [...house.sent.values()].filter((it) => it.author.id === page.id).map((it) => it.nonce)
  if (own.join(' ') !== page.pressed.join(' ')) wrong(`pressed ${page.pressed}, stored ${own}`)
}
