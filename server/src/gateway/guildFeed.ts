/**
 * The feed of one guild: fans its events out to those who may see them. The bus hands events in by number and
 * without holes. A change of rules or members is applied before any later event goes out, so that no event is
 * sent by an outdated rule.
 */
import { channelAdded, channelDeleted, channelUpdated } from '@guildhall/wire/channel/channel.ts'
import type { BodyOf } from '@guildhall/wire/event.ts'
import { events } from '@guildhall/wire/events.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { NumberDialect } from '@guildhall/wire/message/kind.ts'
import type { GuildEvent, Topic } from '../kit/events/bus.ts'
import { accessChangeOf } from '../kit/events/eventKind.ts'
import { GuildAudience } from './audience.ts'
import { encodeData, encodeEvent, systemEvent } from './encodeEvent.ts'
import type { Journal } from './handoff/journal.ts'
import type { GatewaySession } from './session.ts'
import type { EncodedEvent } from './transport/encodedEvent.ts'
import type { EventStream, Transport } from './transport/transport.ts'
import { type GuildFacts, isPrivate, type ViewChange, viewChanges } from './visibility.ts'

export interface FeedPorts {
  readonly topics?: Topics | undefined
  readonly transport: Pick<Transport, 'broadcast'>
  /** Null when the guild is gone. */
  factsOf(guildId: GuildId): Promise<GuildFacts | null>
  /**
   * Channels in the form of their events, for those who may view them from now on. Absent: they are not told.
   */
  channelForms?(guildId: GuildId, channelIds: readonly ChannelId[]): Promise<ReadonlyMap<ChannelId, object>>
  /** Records what is sent; absent, nothing is recorded. */
  readonly journal?: Pick<Journal, 'recordBase' | 'recordEvent'> | null
  /** An event as those receive it who may view its channel, when others may not. Absent: unchanged. */
  readableEvent?(event: GuildEvent): GuildEvent
  now(): number
  /** The roles of a member; null for somebody who is not a member. */
  rolesOf(guildId: GuildId, userId: UserId): Promise<readonly number[] | null>
  /** A person's sessions on this node. */
  sessionsOf(userId: UserId): Iterable<GatewaySession>
  onError(error: unknown): void
}

/**
 * The bus's subscriptions: `watch`, read the state, `start` with its number, and one `unwatch` for each
 * `watch`.
 */
export interface Topics {
  watch(topic: Topic): Promise<void>
  /** Returns the number after which events are delivered; when it is larger, the state is read again. */
  start(topic: Topic, seq: number): number
  unwatch(topic: Topic): void
  /** Waits until everything that is committed by now was handed in. */
  catchUp(topics: readonly Topic[]): Promise<void>
}

/** Between two attempts to read rules from a database that does not answer. */
const RETRY_MS = 500

/** True for events that only those who may view their channel receive; others go to the whole guild. */
export const isForChannel = (kind: string): boolean =>
  kind === 'message' || events.get(kind)?.to === 'channel'

const isForPages = (kind: string): boolean => events.get(kind)?.dialects === 'pages'

/** True when a connection of this dialect receives events of this kind. protocol.md §3.4. */
export const isSpokenIn = (dialect: NumberDialect, kind: string): boolean =>
  dialect === 'specification' || !isForPages(kind)

/** True when a member with a session here receives an event of this kind, which may be one of a channel. */
export function isReceivedBy(
  audience: GuildAudience,
  userId: UserId,
  { kind, channelId }: { readonly kind: string; readonly channelId: ChannelId | null },
): boolean {
  const isFor = events.get(kind)?.isFor
  if (!isForChannel(kind)) return !isFor || audience.allows(userId, isFor)
  if (channelId === null) return false
  return isFor ? audience.allows(userId, isFor, channelId) : audience.sees(userId, channelId)
}

export class GuildFeed {
  readonly guildId: GuildId
  readonly #topic: Topic
  readonly #ports: FeedPorts
  #audience: GuildAudience | null = null
  readonly #queue: (GuildEvent | (() => Promise<void>))[] = []
  #isBusy = false
  #isWatching = false

  constructor(guildId: GuildId, ports: FeedPorts) {
    this.guildId = guildId
    this.#topic = `guild:${guildId}`
    this.#ports = ports
  }

  /** Null before the first load, and when the guild is gone. */
  get audience(): GuildAudience | null {
    return this.#audience
  }

  /** True when it has no subscriber and no work: it can be closed. */
  get isIdle(): boolean {
    return !this.#isBusy && (this.#audience === null || this.#audience.isEmpty)
  }

  /** Unsubscribes from the bus. */
  close(): void {
    if (this.#isWatching) this.#ports.topics?.unwatch(this.#topic)
    this.#isWatching = false
  }

  /** Takes an event of the bus. Events that the loaded audience already includes are dropped. */
  receive(event: GuildEvent): void {
    if (this.#isBusy || !this.#sendAtOnce(event)) this.#enqueue(event)
  }

  /**
   * Runs `act` with the audience, in order with the events. `isNew`: it was just loaded, and changes before
   * that were not handed in, so what was read earlier may be outdated.
   */
  async withAudience(act: (audience: GuildAudience, isNew: boolean) => void | Promise<void>): Promise<void> {
    await new Promise<void>((done, refuse) => {
      this.#enqueue(async () => {
        try {
          const isNew = this.#audience === null
          await this.#load()
          if (this.#audience) await act(this.#audience, isNew)
          done()
        } catch (error) {
          refuse(error)
        }
      })
    })
  }

  /** The common case, which has nothing to read again. False when there is more to do. */
  #sendAtOnce(event: GuildEvent): boolean {
    const audience = this.#audience
    if (!audience) return false
    if (event.seq <= audience.seq) return true
    if (accessChangeOf(event.kind) !== 'none') return false
    this.#send(audience, event)
    return true
  }

  #enqueue(item: GuildEvent | (() => Promise<void>)): void {
    this.#queue.push(item)
    if (!this.#isBusy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#isBusy = true
    for (let item = this.#queue.shift(); item; item = this.#queue.shift()) {
      if (typeof item === 'function') await item()
      else await this.#applyWithRetry(item)
    }
    this.#isBusy = false
  }

  /** Retries without end: no later event may go out by rules that could not be read. */
  async #applyWithRetry(event: GuildEvent): Promise<void> {
    for (;;) {
      try {
        return await this.#apply(event)
      } catch (error) {
        this.#ports.onError(error)
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
    let facts = await this.#ports.factsOf(this.guildId)
    while (facts && topics && topics.start(this.#topic, facts.seq) > facts.seq)
      facts = await this.#ports.factsOf(this.guildId)
    if (!facts) return
    this.#audience = new GuildAudience(facts)
    this.#ports.journal?.recordBase(this.#topic, facts.seq)
  }

  async #apply(event: GuildEvent): Promise<void> {
    const audience = this.#audience
    if (!audience || event.seq <= audience.seq) return
    const access = accessChangeOf(event.kind)
    if (access === 'member') return this.#applyMemberChange(audience, event)
    if (access === 'none') return this.#send(audience, event)
    const facts = await this.#ports.factsOf(this.guildId)
    if (!facts) return this.#send(audience, event)
    return this.#applyRules(audience, event, facts)
  }

  /**
   * Whatever the event is about, everybody's view is compared: the facts may be newer than the event, and the
   * later event that changed a view would find nothing left to compare. A deleted channel that the facts have
   * was restored since, so those who view it gain it.
   */
  async #applyRules(audience: GuildAudience, event: GuildEvent, facts: GuildFacts): Promise<void> {
    const ownId = event.channelId as ChannelId | undefined
    const known = audience.facts
    const changes =
      event.kind === channelDeleted.name
        ? viewChanges(withoutChannel(known, ownId), facts, audience.members())
        : viewChanges(known, facts, audience.members()).map((change) => exceptOf(change, ownId))
    const forms = await this.#formsOf(changes)
    const before = ownId ? audience.channel(ownId) : []
    const typeOf = channelTypes(known, facts)
    // From here on nothing waits: the new rules apply and everybody is told in one step.
    audience.reload(facts)
    if (ownId) this.#sendChannelChange(audience, event, ownId, before, typeOf.get(ownId))
    else this.#send(audience, event)
    this.#notifyViewChanges(audience, event, changes, forms, typeOf)
  }

  /**
   * A change of one channel: those who may no longer view it learn that it is gone, and nothing of what it
   * became; those who may view it from now on learn that it is there, once.
   */
  #sendChannelChange(
    audience: GuildAudience,
    event: GuildEvent,
    channelId: ChannelId,
    before: readonly EventStream[],
    type: number | undefined,
  ): void {
    this.#record(audience, event)
    if (event.kind === channelDeleted.name) return this.#broadcast(before, encodeEvent(event))
    const after = audience.channel(channelId)
    const [had, has] = [new Set(before), new Set(after)]
    const isUpdate = event.kind === channelUpdated.name
    if (isUpdate)
      this.#broadcast(
        after.filter((stream) => had.has(stream)),
        encodeEvent(event),
      )
    this.#broadcast(
      after.filter((stream) => !had.has(stream)),
      isUpdate ? encodeData(() => systemEvent(event, channelAdded.name, event.body)) : encodeEvent(event),
    )
    this.#broadcast(
      before.filter((stream) => !has.has(stream)),
      goneEvent(event, channelId, type),
    )
  }

  async #applyMemberChange(audience: GuildAudience, event: GuildEvent): Promise<void> {
    const { user_id } = event.body as { user_id: UserId }
    const sessions = [...this.#ports.sessionsOf(user_id)]
    const roles = sessions.length === 0 ? null : await this.#ports.rolesOf(this.guildId, user_id)
    // Somebody who comes may have roles by now, whose events are still to come.
    const member = audience.member(user_id) ?? { userId: user_id, roles: [] }
    const { facts } = audience
    const changes = roles ? viewChanges(facts, facts, [member], roles) : []
    const forms = await this.#formsOf(changes)
    // Sessions may have come or gone meanwhile.
    const present = [...this.#ports.sessionsOf(user_id)]
    if (roles && present.length > 0) audience.add(user_id, roles, present)
    else audience.removePerson(user_id)
    this.#send(audience, event)
    this.#notifyViewChanges(audience, event, changes, forms, channelTypes(facts))
  }

  async #formsOf(changes: readonly ViewChange[]): Promise<ReadonlyMap<ChannelId, object>> {
    const ids = [...new Set(changes.flatMap(({ gained }) => gained))]
    if (ids.length === 0) return new Map()
    return (await this.#ports.channelForms?.(this.guildId, ids)) ?? new Map()
  }

  #notifyViewChanges(
    audience: GuildAudience,
    event: GuildEvent,
    changes: readonly ViewChange[],
    forms: ReadonlyMap<ChannelId, object>,
    typeOf: ReadonlyMap<ChannelId, number | undefined>,
  ): void {
    if (changes.length === 0) return
    // Each event is encoded once, for all who receive it.
    const notified = new Map<string, EncodedEvent>()
    const once = (key: string, encode: () => EncodedEvent): EncodedEvent => {
      const known = notified.get(key) ?? encode()
      notified.set(key, known)
      return known
    }
    for (const { userIds, lost, gained } of changes) {
      const streams = audience.streamsOf(userIds)
      for (const id of lost)
        this.#broadcast(
          streams,
          once(`lost ${id}`, () => goneEvent(event, id, typeOf.get(id))),
        )
      for (const id of gained) {
        const form = forms.get(id)
        if (!form) continue
        const added = () => encodeData(() => systemEvent(event, channelAdded.name, form, ` ${id}`))
        this.#broadcast(streams, once(`gained ${id}`, added))
      }
    }
  }

  /** The event counts as sent, whoever receives it. */
  #record(audience: GuildAudience, event: GuildEvent): void {
    audience.seq = event.seq
    this.#ports.journal?.recordEvent(this.#topic, event.seq)
  }

  #send(audience: GuildAudience, event: GuildEvent): void {
    this.#record(audience, event)
    const toChannel = isForChannel(event.kind)
    if (toChannel && !event.channelId) return
    const channelId = toChannel ? (event.channelId as ChannelId) : undefined
    const isFor = events.get(event.kind)?.isFor
    const viewers = isFor
      ? audience.allowed(isFor, channelId)
      : channelId === undefined
        ? audience.guild()
        : audience.channel(channelId)
    const streams = isForPages(event.kind)
      ? viewers.filter(({ dialect }) => isSpokenIn(dialect, event.kind))
      : viewers
    if (streams.length > 0) this.#broadcast(streams, encodeEvent(readableBy(audience, event, this.#ports)))
  }

  #broadcast(streams: readonly EventStream[], event: EncodedEvent): void {
    if (streams.length > 0) this.#ports.transport.broadcast(streams, event, this.#ports.now(), this.guildId)
  }
}

/** An event as its receivers get it, all of them alike: files have signed addresses where few may look. */
export const readableBy = (
  { facts }: GuildAudience,
  event: GuildEvent,
  { readableEvent }: Pick<FeedPorts, 'readableEvent'>,
): GuildEvent =>
  readableEvent &&
  event.channelId &&
  isForChannel(event.kind) &&
  isPrivate(facts, event.channelId as ChannelId)
    ? readableEvent(event)
    : event

/** What changed without a channel that its own event speaks of. */
const exceptOf = ({ userIds, lost, gained }: ViewChange, channelId: ChannelId | undefined): ViewChange => ({
  userIds,
  lost: lost.filter((id) => id !== channelId),
  gained: gained.filter((id) => id !== channelId),
})

const withoutChannel = (facts: GuildFacts, channelId: ChannelId | undefined): GuildFacts => ({
  ...facts,
  channels: facts.channels.filter(({ id }) => id !== channelId),
})

const channelTypes = (...facts: readonly GuildFacts[]): Map<ChannelId, number | undefined> =>
  new Map(facts.flatMap(({ channels }) => channels.map(({ id, type }) => [id, type])))

/** A channel is gone for those who may no longer view it. */
function goneEvent(event: GuildEvent, channelId: ChannelId, type = 1): EncodedEvent {
  const body: BodyOf<typeof channelDeleted> = { id: channelId, deleted_at: event.at, type }
  return encodeData(() => systemEvent(event, channelDeleted.name, body, ` ${channelId}`))
}
