/** Routes events of the bus: a guild's to its feed, a person's to that person's sessions. */
import { loginEnded } from '@guildhall/wire/auth/userState.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { memberJoined, selfJoined } from '@guildhall/wire/member/event.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { type GuildEvent, type PersonEvent, topicOf } from '../kit/events/bus.ts'
import { accessChangeOf, bodyIf } from '../kit/events/eventKind.ts'
import type { GatewayMetrics } from '../kit/metrics/gateway.ts'
import { encodeEvent } from './encodeEvent.ts'
import { isSpokenIn } from './guildFeed.ts'
import type { GuildFeeds } from './guildFeeds.ts'
import type { Journal } from './handoff/journal.ts'
import type { Person, SessionRegistry } from './sessionRegistry.ts'

export interface RouterPorts {
  readonly registry: SessionRegistry
  readonly feeds: GuildFeeds
  readonly journal: Journal | null
  readonly metrics: GatewayMetrics | null
  now(): number
  onError(error: unknown): void
}

export class EventRouter {
  readonly #ports: RouterPorts

  constructor(ports: RouterPorts) {
    this.#ports = ports
  }

  guildEvent(event: GuildEvent): void {
    const { registry, feeds, metrics, now } = this.#ports
    metrics?.lag(Math.max(0, now() - event.at) / SECOND_MS)
    const guildId = event.guildId as GuildId
    const userId = memberOf(event)
    const person = userId && registry.person(userId)
    if (person) registry.recordMembershipChange(person, guildId)
    const feed = feeds.get(guildId)
    if (feed) return feed.receive(event)
    // The guild had no session here until now.
    if (person && event.kind === memberJoined.name) this.#subscribeToGuild(guildId, userId, person)
  }

  personEvent(event: PersonEvent): void {
    const { registry, journal, now } = this.#ports
    const person = registry.person(event.userId)
    if (!person || event.seq <= person.ownSeq) return
    person.ownSeq = event.seq
    // A node receives a guild's events only after somebody here is subscribed to it.
    const joined = bodyIf(event, selfJoined)
    if (joined) {
      registry.recordMembershipChange(person, joined.guild_id)
      this.#subscribeToGuild(joined.guild_id, event.userId, person)
    }
    journal?.recordEvent(topicOf(event), event.seq)
    const encoded = encodeEvent(event)
    for (const session of person.sessions)
      if (isSpokenIn(session.stream.dialect, event.kind)) session.send(encoded, now())
    const ended = bodyIf(event, loginEnded)
    if (ended) registry.revoke(ended.login_id)
  }

  #subscribeToGuild(guildId: GuildId, userId: UserId, person: Person): void {
    this.#ports.registry.subscribeToGuild(guildId, userId, person).catch(this.#ports.onError)
  }
}

/** Whose membership or roles this event changed; undefined for any other event. */
const memberOf = (event: GuildEvent): UserId | undefined =>
  accessChangeOf(event.kind) === 'member' ? (event.body as { user_id: UserId }).user_id : undefined
