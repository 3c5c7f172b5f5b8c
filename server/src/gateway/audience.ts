/**
 * Who receives an event of a guild: the only place that knows. One `GuildAudience` per guild with sessions on
 * this node. It caches the streams of each channel until roles or channels change; sessions that come and go
 * are added and removed. Pure: facts are passed in. chat.md §6, protocol.md §3.4.
 */
import type { ChannelId, RoleId, UserId } from '@guildhall/wire/id.ts'
import type { GatewaySession } from './session.ts'
import type { EventStream } from './transport/transport.ts'
import {
  type ChannelFacts,
  type GuildFacts,
  mayView,
  type PresentMember,
  permissionsOf,
} from './visibility.ts'

interface Member {
  roles: readonly RoleId[]
  readonly sessions: Set<GatewaySession>
}

export class GuildAudience {
  /** The last event of the guild that was sent. */
  seq: number
  #facts: GuildFacts
  readonly #members = new Map<UserId, Member>()
  readonly #channelStreams = new Map<ChannelId, EventStream[]>()
  #guildStreams: EventStream[] | null = null

  constructor(facts: GuildFacts) {
    this.#facts = facts
    this.seq = facts.seq
  }

  /** Replaces the facts; members stay. */
  reload(facts: GuildFacts): void {
    this.#facts = facts
    this.#clearCache()
  }

  /** Adds sessions of a member, or changes the member's roles. */
  add(userId: UserId, roles: readonly RoleId[], sessions: Iterable<GatewaySession>): void {
    const known = this.#members.get(userId)
    if (known && !isSame(known.roles, roles)) this.#clearCache()
    const member = known ?? { roles, sessions: new Set<GatewaySession>() }
    member.roles = roles
    const added = [...sessions].filter((session) => !member.sessions.has(session))
    for (const session of added) {
      member.sessions.add(session)
      // Another session of the person, or a change of roles, may add it before its own subscription does.
      session.markSubscribed(this.#facts.guild_id, this.seq)
    }
    // The session ended while this call waited in the guild's queue.
    if (member.sessions.size === 0) return
    this.#members.set(userId, member)
    const streams = added.map(({ stream }) => stream)
    for (const [channelId, cached] of this.#channelStreams) {
      if (this.#mayView(userId, member, this.#channelFacts(channelId))) cached.push(...streams)
    }
    this.#guildStreams?.push(...streams)
  }

  setRoles(userId: UserId, roles: readonly RoleId[]): void {
    const member = this.#members.get(userId)
    if (!member) return
    member.roles = roles
    this.#clearCache()
  }

  remove(session: GatewaySession): void {
    const member = this.#members.get(session.userId)
    if (!member?.sessions.delete(session)) return
    if (member.sessions.size === 0) this.#members.delete(session.userId)
    for (const [channelId, cached] of this.#channelStreams)
      this.#channelStreams.set(channelId, without(cached, session.stream))
    this.#guildStreams &&= without(this.#guildStreams, session.stream)
  }

  removePerson(userId: UserId): void {
    if (this.#members.delete(userId)) this.#clearCache()
  }

  get facts(): GuildFacts {
    return this.#facts
  }

  /** The members with sessions here. */
  *members(): Generator<PresentMember> {
    for (const [userId, { roles }] of this.#members) yield { userId, roles }
  }

  /** A member with sessions here; undefined for anybody else. */
  member(userId: UserId): PresentMember | undefined {
    const member = this.#members.get(userId)
    return member && { userId, roles: member.roles }
  }

  /** The streams of some members. */
  streamsOf(userIds: readonly UserId[]): EventStream[] {
    return userIds.flatMap((userId) => streamsOf(this.#members.get(userId)?.sessions ?? []))
  }

  get isEmpty(): boolean {
    return this.#members.size === 0
  }

  /** Members with a connection now, those only that `counts`. */
  onlineCount(counts: (userId: UserId) => boolean = () => true): number {
    let count = 0
    for (const [userId, { sessions }] of this.#members) {
      if (!counts(userId)) continue
      for (const session of sessions) {
        if (!session.isConnected) continue
        count += 1
        break
      }
    }
    return count
  }

  /**
   * The streams of all members. The array grows at its end; when a session leaves, a new array replaces it.
   */
  guild(): readonly EventStream[] {
    this.#guildStreams ??= [...this.#members.values()].flatMap(({ sessions }) => streamsOf(sessions))
    return this.#guildStreams
  }

  /**
   * The streams of those who may view a channel; none when the channel is unknown. The array changes as that
   * of `guild()`.
   */
  channel(channelId: ChannelId): readonly EventStream[] {
    let streams = this.#channelStreams.get(channelId)
    if (!streams) {
      streams = this.#viewersOf(channelId)
      this.#channelStreams.set(channelId, streams)
    }
    return streams
  }

  /** The streams of those whom their permissions, in a channel or in the guild, allow an event. */
  allowed(isFor: (permissions: number) => boolean, channelId?: ChannelId): EventStream[] {
    return [...this.#members].flatMap(([userId, { sessions }]) =>
      this.allows(userId, isFor, channelId) ? streamsOf(sessions) : [],
    )
  }

  /** True when this member, who has a session here, is one of them. */
  allows(userId: UserId, isFor: (permissions: number) => boolean, channelId?: ChannelId): boolean {
    const member = this.#members.get(userId)
    const channel = channelId === undefined ? undefined : this.#channelFacts(channelId)
    if (!member || (channelId !== undefined && !channel)) return false
    return isFor(permissionsOf(this.#facts, { userId, roles: member.roles }, channel))
  }

  /** True when this member, who has a session here, may view a channel now. */
  sees(userId: UserId, channelId: ChannelId): boolean {
    const member = this.#members.get(userId)
    return member !== undefined && this.#mayView(userId, member, this.#channelFacts(channelId))
  }

  #viewersOf(channelId: ChannelId): EventStream[] {
    const channel = this.#channelFacts(channelId)
    const streams: EventStream[] = []
    for (const [userId, member] of this.#members) {
      if (this.#mayView(userId, member, channel)) streams.push(...streamsOf(member.sessions))
    }
    return streams
  }

  #channelFacts(channelId: ChannelId): ChannelFacts | undefined {
    return this.#facts.channels.find((it) => it.id === channelId)
  }

  #mayView(userId: UserId, { roles }: Member, channel: ChannelFacts | undefined): boolean {
    return mayView(this.#facts, { userId, roles }, channel)
  }

  #clearCache(): void {
    this.#channelStreams.clear()
    this.#guildStreams = null
  }
}

const streamsOf = (sessions: Iterable<GatewaySession>): EventStream[] =>
  [...sessions].map(({ stream }) => stream)

const isSame = (a: readonly RoleId[], b: readonly RoleId[]): boolean =>
  a.length === b.length && a.every((role, index) => role === b[index])

const without = (streams: EventStream[], stream: EventStream): EventStream[] =>
  streams.includes(stream) ? streams.filter((it) => it !== stream) : streams
