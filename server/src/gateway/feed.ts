/**
 * A guild's events on their way out. The bus hands them in by number and without holes; what changes who may hear is
 * applied before anything later goes out, so a stale audience lasts no longer than the event that ends it.
 */

import { createHash } from 'node:crypto'
import { type PrivateMessageBody, privateEventOf } from '@guildhall/wire/chat/event.ts'
import { events } from '@guildhall/wire/events.ts'
import { type EventData, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { messageUpdated } from '@guildhall/wire/message/act.ts'
import {
  EPHEMERAL_MESSAGE,
  EPHEMERAL_UPDATE,
  type EphemeralMessage,
  type EphemeralUpdate,
  eventOf,
} from '@guildhall/wire/message/event.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { publicBody } from '@guildhall/wire/message/public.ts'
import { SYSTEM_USER } from '@guildhall/wire/user/user.ts'
import { MEMBER_EVENTS, PERMISSION_EVENTS } from '../channel/channel.ts'
import { type GuildEvent, type LiveEvent, type Topic, topicOf } from '../kit/bus.ts'
import { GuildAudience, type GuildFacts } from './audience.ts'
import type { Deliveries } from './deliveries.ts'
import { SharedEvent } from './frames.ts'
import type { Journal } from './journal.ts'
import type { Session } from './session.ts'

/** What the body of a `message` event holds. */
export interface MessageBody {
  readonly message: Message
  readonly channel: { readonly name: string; readonly type: number }
}

export interface FeedPorts {
  readonly topics?: Topics | undefined
  readonly deliveries: Pick<Deliveries, 'add'>
  /** Null when the guild is gone. */
  factsOf(guildId: GuildId): Promise<GuildFacts | null>
  /** Notes what goes out; nobody does when it is absent. */
  readonly journal?: Pick<Journal, 'begins' | 'passed'> | null
  now(): number
  /** A guild's people changed: roles of a member, or null for one who is no member. */
  rolesOf(guildId: GuildId, userId: UserId): Promise<readonly number[] | null>
  /** The lines of a person on this node. */
  sessionsOf(userId: UserId): Iterable<Session>
  failed(error: unknown): void
}

/**
 * Tells the bus what is listened to here: `watch` before the state of things is read, `begin` with its number, and for
 * each `watch` one `unwatch`.
 */
export interface Topics {
  watch(topic: Topic): Promise<void>
  begin(topic: Topic, seq: number): void
  unwatch(topic: Topic): void
  /** Waits until everything that is committed by now was handed in. */
  catchUp(topics: readonly Topic[]): Promise<void>
}

/** Between two tries to read rules from a database that does not answer. */
const RETRY_MS = 500
/** Goes to those who may view its channel, and not to the whole guild. */
export const isForChannel = (kind: string): boolean =>
  kind === 'message' || events.get(kind)?.to === 'channel'

/**
 * What the frame of a bot's event says beside it: nothing is encrypted or called back, and all groups of events are
 * wanted. protocol.md §2.3.
 */
const BOT_FRAME = { extra: { verifyToken: '', encryptKey: '', callbackUrl: '', intent: -1 } }

/**
 * An event on its way out: written once for people's lines and once for bots', each when the first of them hears of it,
 * so that a room without bots pays for none.
 */
export class Telling {
  readonly #write: (dialect: NumberDialect) => EventData
  #forPeople: SharedEvent | null = null
  #forBots: SharedEvent | null = null

  constructor(write: (dialect: NumberDialect) => EventData) {
    this.#write = write
  }

  in(dialect: NumberDialect): SharedEvent {
    if (dialect === 'public') {
      this.#forBots ??= new SharedEvent(this.#write('public'), BOT_FRAME)
      return this.#forBots
    }
    this.#forPeople ??= new SharedEvent(this.#write('specification'))
    return this.#forPeople
  }
}

/** An event as the line says it, the same on every node and every time. */
export const tellingOf = (event: LiveEvent): Telling => new Telling((dialect) => dataOf(event, dialect))

function dataOf(event: LiveEvent, dialect: NumberDialect): EventData {
  if (event.to === 'guild' && event.kind === 'message') {
    const { message, channel } = event.body as MessageBody
    return eventOf(message, channel, dialect)
  }
  if (event.kind === 'message') return privateEventOf(event.body as PrivateMessageBody, dialect)
  if (event.kind === EPHEMERAL_MESSAGE) {
    const { message, channel, visible_only } = event.body as EphemeralMessage
    return eventOf(message, channel, dialect, visible_only)
  }
  if (event.kind === EPHEMERAL_UPDATE) {
    const { guild_id, body } = event.body as EphemeralUpdate
    const told = systemEvent(event, messageUpdated.name, dialect === 'public' ? publicBody(body) : body)
    return { ...told, channel_type: 'GROUP', target_id: guild_id }
  }
  const body = dialect === 'public' ? publicBody(event.body) : event.body
  return systemEvent(event, event.kind, body)
}

/** A system event as the line says it; `name` and `body` may differ from what was logged. protocol.md §3.4. */
export function systemEvent(event: LiveEvent, name: string, body: unknown): EventData {
  const to =
    event.to === 'guild'
      ? ({ channel_type: 'GROUP', target_id: event.guildId } as const)
      : ({ channel_type: 'PERSON', target_id: event.userId } as const)
  return {
    ...to,
    type: SYSTEM_EVENT,
    author_id: SYSTEM_USER,
    content: '[系统消息]',
    msg_id: idOf(`${topicOf(event)} ${event.seq} ${name}`),
    msg_timestamp: event.at,
    nonce: '',
    extra: { type: name, body },
  }
}

/** A UUID that is the same wherever it is worked out. */
function idOf(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

export class GuildFeed {
  readonly guildId: GuildId
  readonly #topic: Topic
  readonly #ports: FeedPorts
  #audience: GuildAudience | null = null
  #waiting: (GuildEvent | (() => Promise<void>))[] = []
  #busy = false
  #isWatching = false

  constructor(guildId: GuildId, ports: FeedPorts) {
    this.guildId = guildId
    this.#topic = `guild:${guildId}`
    this.#ports = ports
  }

  /** Null until first loaded, and after the guild is gone. */
  get audience(): GuildAudience | null {
    return this.#audience
  }

  /** True when nobody listens and nothing is under way: the feed can be let go. */
  get isIdle(): boolean {
    return !this.#busy && (this.#audience === null || this.#audience.isEmpty)
  }

  /** Nothing will be handed in any more. */
  close(): void {
    if (this.#isWatching) this.#ports.topics?.unwatch(this.#topic)
    this.#isWatching = false
  }

  /** An event from the bus. What the audience was loaded with already is dropped. */
  take(event: GuildEvent): void {
    if (this.#busy || !this.#fast(event)) this.#enqueue(event)
  }

  /** Does something with the audience in its place among the events. */
  async withAudience(act: (audience: GuildAudience) => void): Promise<void> {
    await new Promise<void>((done, refuse) => {
      this.#enqueue(async () => {
        try {
          await this.#load()
          if (this.#audience) act(this.#audience)
          done()
        } catch (error) {
          refuse(error)
        }
      })
    })
  }

  /** The common case in one go: nothing to read again. False when it takes more than that. */
  #fast(event: GuildEvent): boolean {
    const audience = this.#audience
    if (!audience) return false
    if (event.seq <= audience.seq) return true
    if (PERMISSION_EVENTS.has(event.kind) || MEMBER_EVENTS.has(event.kind)) return false
    this.#send(audience, event)
    return true
  }

  #enqueue(item: GuildEvent | (() => Promise<void>)): void {
    this.#waiting.push(item)
    if (!this.#busy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#busy = true
    for (let item = this.#waiting.shift(); item; item = this.#waiting.shift()) {
      if (typeof item === 'function') await item()
      else await this.#insist(item)
    }
    this.#busy = false
  }

  /** Rules that cannot be read now must be read before anything later goes out: waits for the database to come back. */
  async #insist(event: GuildEvent): Promise<void> {
    for (;;) {
      try {
        return await this.#apply(event)
      } catch (error) {
        this.#ports.failed(error)
        await new Promise((again) => setTimeout(again, RETRY_MS))
      }
    }
  }

  async #load(): Promise<void> {
    if (this.#audience) return
    const { topics } = this.#ports
    if (!this.#isWatching) {
      this.#isWatching = true
      await topics?.watch(this.#topic)
    }
    const facts = await this.#ports.factsOf(this.guildId)
    if (!facts) return
    this.#audience = new GuildAudience(facts)
    this.#ports.journal?.begins(this.#topic, facts.seq)
    topics?.begin(this.#topic, facts.seq)
  }

  async #reload(): Promise<void> {
    const facts = await this.#ports.factsOf(this.guildId)
    if (facts) this.#audience?.reload(facts)
  }

  async #apply(event: GuildEvent): Promise<void> {
    const audience = this.#audience
    if (!audience || event.seq <= audience.seq) return
    if (MEMBER_EVENTS.has(event.kind)) await this.#people(audience, event)
    if (!PERMISSION_EVENTS.has(event.kind)) return this.#send(audience, event)

    const channelId = event.channelId as ChannelId | null
    const before = channelId ? audience.channel(channelId) : []
    await this.#reload()
    this.#send(audience, event)
    // Whoever may no longer see a channel is told that it is gone, and nothing of what it became.
    if (event.kind === 'updated_channel' && channelId) {
      const after = new Set(audience.channel(channelId))
      const lost = before.filter((session) => !after.has(session))
      const gone = { id: channelId, deleted_at: event.at, type: 1 }
      this.#deliver(lost, new Telling(() => systemEvent(event, 'deleted_channel', gone)))
    }
  }

  async #people(audience: GuildAudience, event: GuildEvent): Promise<void> {
    const { user_id } = event.body as { user_id: UserId }
    const sessions = [...this.#ports.sessionsOf(user_id)]
    if (sessions.length === 0) return audience.removePerson(user_id)
    const roles = await this.#ports.rolesOf(this.guildId, user_id)
    if (roles) audience.add(user_id, roles, sessions)
    else audience.removePerson(user_id)
  }

  #send(audience: GuildAudience, event: GuildEvent): void {
    audience.seq = event.seq
    this.#ports.journal?.passed(this.#topic, event.seq)
    const toChannel = isForChannel(event.kind)
    if (toChannel && !event.channelId) return
    const listeners = toChannel ? audience.channel(event.channelId as ChannelId) : audience.guild()
    if (listeners.length > 0) this.#deliver(listeners, tellingOf(event))
  }

  #deliver(sessions: readonly Session[], telling: Telling): void {
    this.#ports.deliveries.add(sessions, telling, this.#ports.now(), this.guildId)
  }
}
