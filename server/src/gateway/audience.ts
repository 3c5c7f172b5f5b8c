/**
 * Who hears an event of a guild: the only place that knows. One `GuildAudience` per guild that has a line here; it
 * holds the guild's rules and the people online, and works out a channel's listeners once, until something about
 * roles or channels changes; lines that come and go are put in and taken out. Pure: facts are handed in. chat.md §6, protocol.md §3.4.
 */
import type { ChannelId, GuildId, RoleId, UserId } from '@guildhall/wire/id.ts'
import {
  channelPermissions,
  guildPermissions,
  has,
  permission,
  type RolePermissions,
  type RoleRule,
  type UserRule,
} from '@guildhall/wire/permission/permission.ts'
import type { Session } from './session.ts'

/** What the maths needs of a guild, as of event number `seq`. */
export interface GuildFacts {
  readonly guild_id: GuildId
  readonly owner_id: UserId
  readonly seq: number
  readonly roles: readonly RolePermissions[]
  readonly channels: readonly {
    readonly id: ChannelId
    readonly rules: readonly RoleRule[]
    readonly users: readonly (UserRule & { readonly user_id: UserId })[]
  }[]
}

type ChannelFacts = GuildFacts['channels'][number]

interface Listener {
  roles: readonly RoleId[]
  readonly sessions: Set<Session>
}

export class GuildAudience {
  /** The last event of the guild that went out. */
  seq: number
  #facts: GuildFacts
  readonly #people = new Map<UserId, Listener>()
  readonly #inChannel = new Map<ChannelId, Session[]>()
  #inGuild: Session[] | null = null

  constructor(facts: GuildFacts) {
    this.#facts = facts
    this.seq = facts.seq
  }

  /** New facts; whoever is here stays. */
  reload(facts: GuildFacts): void {
    this.#facts = facts
    this.#forget()
  }

  add(userId: UserId, roles: readonly RoleId[], sessions: Iterable<Session>): void {
    const known = this.#people.get(userId)
    if (known && !isSame(known.roles, roles)) this.#forget()
    const listener = known ?? { roles, sessions: new Set<Session>() }
    listener.roles = roles
    const fresh = [...sessions].filter((session) => !listener.sessions.has(session))
    for (const session of fresh) {
      listener.sessions.add(session)
      // Another line of the same person, or a change of their roles, may put it in before its own turn comes.
      const from = session.gathersFrom
      if (from && !from.has(this.#facts.guild_id)) from.set(this.#facts.guild_id, this.seq)
    }
    // Gone again while its place among the events was waited for.
    if (listener.sessions.size === 0) return
    this.#people.set(userId, listener)
    for (const [channelId, heard] of this.#inChannel) {
      if (this.#mayView(userId, listener, this.#channelFacts(channelId))) heard.push(...fresh)
    }
    this.#inGuild?.push(...fresh)
  }

  setRoles(userId: UserId, roles: readonly RoleId[]): void {
    const listener = this.#people.get(userId)
    if (!listener) return
    listener.roles = roles
    this.#forget()
  }

  remove(session: Session): void {
    const listener = this.#people.get(session.userId)
    if (!listener?.sessions.delete(session)) return
    if (listener.sessions.size === 0) this.#people.delete(session.userId)
    for (const [channelId, heard] of this.#inChannel) this.#inChannel.set(channelId, without(heard, session))
    this.#inGuild &&= without(this.#inGuild, session)
  }

  removePerson(userId: UserId): void {
    if (this.#people.delete(userId)) this.#forget()
  }

  get isEmpty(): boolean {
    return this.#people.size === 0
  }

  /** People with a socket open at this moment, those alone that count. */
  onlineCount(counts: (userId: UserId) => boolean = () => true): number {
    let count = 0
    for (const [userId, { sessions }] of this.#people) {
      if (!counts(userId)) continue
      for (const session of sessions) {
        if (!session.wire) continue
        count += 1
        break
      }
    }
    return count
  }

  /** Every line of the guild's members. The list grows at its end; when somebody leaves, another takes its place. */
  guild(): readonly Session[] {
    this.#inGuild ??= [...this.#people.values()].flatMap((listener) => [...listener.sessions])
    return this.#inGuild
  }

  /** The lines of those who may view a channel now; nobody when the channel is unknown. Changes as `guild()` does. */
  channel(channelId: ChannelId): readonly Session[] {
    let sessions = this.#inChannel.get(channelId)
    if (!sessions) {
      sessions = this.#listenersOf(channelId)
      this.#inChannel.set(channelId, sessions)
    }
    return sessions
  }

  /** May this member, who has a line here, view a channel now? */
  sees(userId: UserId, channelId: ChannelId): boolean {
    const listener = this.#people.get(userId)
    return listener !== undefined && this.#mayView(userId, listener, this.#channelFacts(channelId))
  }

  #listenersOf(channelId: ChannelId): Session[] {
    const channel = this.#channelFacts(channelId)
    const sessions: Session[] = []
    for (const [userId, listener] of this.#people) {
      if (this.#mayView(userId, listener, channel)) sessions.push(...listener.sessions)
    }
    return sessions
  }

  #channelFacts(channelId: ChannelId): ChannelFacts | undefined {
    return this.#facts.channels.find((it) => it.id === channelId)
  }

  #mayView(userId: UserId, { roles }: Listener, channel: ChannelFacts | undefined): boolean {
    if (!channel) return false
    const viewer = { is_master: userId === this.#facts.owner_id, roles }
    const inGuild = guildPermissions(viewer, this.#facts.roles)
    const own = channel.users.find((rule) => rule.user_id === userId) ?? null
    return has(channelPermissions(inGuild, viewer, channel.rules, own), permission.view_channel)
  }

  #forget(): void {
    this.#inChannel.clear()
    this.#inGuild = null
  }
}

const isSame = (a: readonly RoleId[], b: readonly RoleId[]): boolean =>
  a.length === b.length && a.every((role, index) => role === b[index])

const without = (sessions: Session[], session: Session): Session[] =>
  sessions.includes(session) ? sessions.filter((it) => it !== session) : sessions
