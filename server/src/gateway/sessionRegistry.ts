/** The registry of this node's sessions and of the people they belong to, with their subscriptions. */
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { shownSystem } from '../kit/clientSystem.ts'
import type { Topic } from '../kit/events/bus.ts'
import type { GuildAudience } from './audience.ts'
import { closeCode } from './closeCode.ts'
import type { Topics } from './guildFeed.ts'
import type { GuildFeeds } from './guildFeeds.ts'
import type { Journal } from './handoff/journal.ts'
import { PERSON_SESSIONS_MAX } from './limit.ts'
import type { GatewayPorts } from './ports.ts'
import type { GatewaySession } from './session.ts'
import type { Transport } from './transport/transport.ts'

/** A person with sessions on this node. */
export interface Person {
  readonly sessions: Set<GatewaySession>
  /** Every guild they belong to, and maybe some they left. */
  readonly guilds: Set<GuildId>
  /** Counts membership changes: a read during which one happens is repeated. */
  changes: number
  /** The last personal event that was sent here, or that happened before the subscription. */
  ownSeq: number
}

export interface RegistryPorts extends Pick<GatewayPorts, 'membershipsOf' | 'rolesOf'> {
  readonly feeds: GuildFeeds
  readonly topics: Topics | undefined
  readonly journal: Journal | null
  readonly transport: Transport
  /** Somebody may have come, or gone. */
  onPresence(userId: UserId): void
  /** The number of a person's last personal event; 0 before the first. */
  personSeq(userId: UserId): Promise<number>
}

export class SessionRegistry {
  readonly #ports: RegistryPorts
  readonly #sessions = new Map<string, GatewaySession>()
  readonly #people = new Map<UserId, Person>()
  /** Sessions that watch their person's topic. */
  readonly #watching = new Set<GatewaySession>()

  constructor(ports: RegistryPorts) {
    this.#ports = ports
  }

  /** Registers a session before it is subscribed, so that a revocation meanwhile finds it. */
  add(session: GatewaySession): void {
    this.#sessions.set(session.id, session)
  }

  get(sessionId: string): GatewaySession | undefined {
    return this.#sessions.get(sessionId)
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId)
  }

  sessions(): Iterable<GatewaySession> {
    return this.#sessions.values()
  }

  person(userId: UserId): Person | undefined {
    return this.#people.get(userId)
  }

  /** How many sessions there are, and how many of them are connected. */
  counts(): { readonly sessions: number; readonly connected: number } {
    let connected = 0
    for (const session of this.#sessions.values()) if (session.isConnected) connected += 1
    return { sessions: this.#sessions.size, connected }
  }

  isOnline(userId: UserId): boolean {
    for (const session of this.#people.get(userId)?.sessions ?? []) if (session.isConnected) return true
    return false
  }

  /** The system of somebody's connection here; empty when there is none, or it is not known. */
  osOf(userId: UserId): string {
    const sessions = [...(this.#people.get(userId)?.sessions ?? [])]
    return shownSystem(sessions.filter(({ isConnected }) => isConnected).map(({ os }) => os))
  }

  /** Everybody with a connection here. */
  onlinePeople(): Set<UserId> {
    const online = new Set<UserId>()
    for (const session of this.#sessions.values()) if (session.isConnected) online.add(session.userId)
    return online
  }

  /** The logins that sessions here belong to. */
  logins(): Set<string> {
    return new Set([...this.#sessions.values()].map(({ loginId }) => loginId))
  }

  /**
   * Subscribes a session to its person and to all guilds of that person; `onSubscribed` is called for each
   * guild. Resolves with the last personal event before the subscription; null when the session ended
   * meanwhile.
   */
  async subscribe(
    session: GatewaySession,
    onSubscribed?: (guildId: GuildId, audience: GuildAudience) => void,
  ): Promise<number | null> {
    const { topics, feeds, membershipsOf, rolesOf } = this.#ports
    const own: Topic = `person:${session.userId}`
    if (topics) {
      this.#watching.add(session)
      await topics.watch(own)
    }
    // Read before the subscription begins: what is committed later is handed in by the bus.
    const readSeq = await this.#ports.personSeq(session.userId)
    if (!this.#sessions.has(session.id)) return null
    // Another session may have begun later than this one read; what lies between the two has happened before.
    const ownBase = Math.max(readSeq, topics?.start(own, readSeq) ?? 0)
    const person = this.#openPerson(session.userId, own, ownBase)
    person.sessions.add(session)
    const { ownSeq } = person
    if (person.sessions.size > PERSON_SESSIONS_MAX) this.#dropOldest(person, session)
    for (let changes = -1; changes !== person.changes; ) {
      changes = person.changes
      const memberships = await membershipsOf(session.userId)
      for (const { guild_id } of memberships) person.guilds.add(guild_id)
      await Promise.all(
        memberships.map(({ guild_id, roles }) =>
          feeds.open(guild_id).withAudience(async (audience, isNew) => {
            // Somebody changed the roles after they were read: they are read once more.
            if (changes !== person.changes) return
            const current = isNew
              ? await rolesOf(guild_id, session.userId)
              : (audience.member(session.userId)?.roles ?? roles)
            if (!current) return audience.removePerson(session.userId)
            audience.add(session.userId, current, person.sessions)
            onSubscribed?.(guild_id, audience)
          }),
        ),
      )
    }
    return ownSeq
  }

  /** A person's membership of a guild changed. */
  recordMembershipChange(person: Person, guildId: GuildId): void {
    person.changes += 1
    person.guilds.add(guildId)
    for (const session of person.sessions) this.#ports.journal?.recordSession(session)
  }

  /** Subscribes a person's sessions to a guild, or unsubscribes them when the person is no member by now. */
  async subscribeToGuild(guildId: GuildId, userId: UserId, person: Person): Promise<void> {
    const { feeds, rolesOf } = this.#ports
    for (let changes = -1; changes !== person.changes; ) {
      changes = person.changes
      const read = await rolesOf(guildId, userId)
      await feeds.open(guildId).withAudience(async (audience, isNew) => {
        if (changes !== person.changes) return
        const roles = isNew ? await rolesOf(guildId, userId) : (audience.member(userId)?.roles ?? read)
        if (roles) audience.add(userId, roles, person.sessions)
        else audience.removePerson(userId)
      })
    }
  }

  /** Ends a session for good. */
  drop(session: GatewaySession): void {
    if (this.#sessions.has(session.id)) this.#ports.journal?.recordEnd(session.id)
    this.remove(session)
  }

  /** The same, and closes its connection. */
  close(session: GatewaySession, code: number): void {
    const { connection } = session
    this.drop(session)
    connection?.close(code)
  }

  /** Another node holds the session now. */
  release(session: GatewaySession, code: number): void {
    const { connection } = session
    this.remove(session)
    connection?.close(code)
  }

  /** Ends all sessions of a login. */
  revoke(loginId: string): void {
    // Earlier events are still sent.
    this.#ports.transport.flushPending()
    for (const session of [...this.#sessions.values()])
      if (session.loginId === loginId) this.close(session, closeCode.revoked)
  }

  /** Forgets a session and its subscriptions, without recording its end. */
  remove(session: GatewaySession): void {
    const { topics, feeds } = this.#ports
    this.#sessions.delete(session.id)
    session.end()
    const person = this.#people.get(session.userId)
    person?.sessions.delete(session)
    if (person?.sessions.size === 0) this.#people.delete(session.userId)
    if (this.#watching.delete(session)) topics?.unwatch(`person:${session.userId}`)
    for (const guildId of person?.guilds ?? []) feeds.removeSession(guildId, session)
    this.#ports.onPresence(session.userId)
  }

  #openPerson(userId: UserId, own: Topic, ownSeq: number): Person {
    const known = this.#people.get(userId)
    if (known) return known
    const person: Person = { sessions: new Set(), guilds: new Set(), changes: 0, ownSeq }
    this.#people.set(userId, person)
    this.#ports.journal?.recordBase(own, ownSeq)
    return person
  }

  /**
   * Ends the session that was disconnected longest, or, when all are connected, the one that was silent
   * longest.
   */
  #dropOldest(person: Person, newest: GatewaySession): void {
    const others = [...person.sessions].filter((session) => session !== newest)
    const byAge = others.toSorted((a, b) => a.lastSeenAt - b.lastSeenAt)
    const oldest = byAge.find((session) => !session.isConnected) ?? byAge[0]
    if (oldest) this.close(oldest, closeCode.replaced)
  }
}
