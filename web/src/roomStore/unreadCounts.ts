import { userState } from '@guildhall/wire/auth/userState.ts'
import type { BodyOf } from '@guildhall/wire/event.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { isMentioned } from '@guildhall/wire/message/mentioned.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { shows } from '@guildhall/wire/message/notify.ts'
import {
  listUnread,
  listWaiting,
  type readMarkUpdated,
  UNREAD_MAX,
  type Unread,
  type Waiting,
} from '@guildhall/wire/message/readMark.ts'
import { cache, invalidateRoute, queryKeyOf } from '../kit/routeQuery.ts'

/** The reader in one guild: what mentions them there. */
interface SelfIn {
  readonly id: string
  readonly roles: readonly number[]
}

/** The reader in a guild, as far as the cache knows them; null before it does. */
export function selfIn(guildId: string): SelfIn | null {
  const id = cache.getQueryData<{ user: { id: string } }>(queryKeyOf(userState, {}))?.user.id
  const guilds = cache.getQueryData<{ id: string; my_roles: number[] }[]>(queryKeyOf(listGuilds, {})) ?? []
  return id ? { id, roles: guilds.find((guild) => guild.id === guildId)?.my_roles ?? [] } : null
}

/** The unread counts of a guild's channels with a received message; one that was counted changes nothing. */
export function withMessage(all: readonly Unread[], message: Message, me: SelfIn): Unread[] {
  const isOwn = message.author.id === me.id
  return all.map((it) => {
    if (it.channel_id !== message.channel_id || message.seq <= it.last_seq) return it
    const known = { ...it, last_seq: message.seq }
    if (isOwn || message.seq <= it.read_seq) return known
    const calls = isMentioned(message, me.id, me.roles) ? 1 : 0
    return {
      ...known,
      unread_count: Math.min(UNREAD_MAX, it.unread_count + 1),
      mention_count: Math.min(UNREAD_MAX, it.mention_count + calls),
    }
  })
}

/** The unread counts after the read mark moved; null when only the server can count. */
export function withMark(all: readonly Unread[], mark: BodyOf<typeof readMarkUpdated>): Unread[] | null {
  const { read_seq, channel_id } = mark
  const known = all.find((it) => it.channel_id === channel_id)
  if (known && read_seq > known.read_seq && read_seq < known.last_seq) return null
  return all.map((it) =>
    it.channel_id === channel_id && read_seq > it.read_seq
      ? { ...it, read_seq, last_seq: Math.max(read_seq, it.last_seq), unread_count: 0, mention_count: 0 }
      : it,
  )
}

/**
 * Updates the cached counts of a guild. If the result is null, or an answer is under way, they are requested
 * again.
 */
function change(guildId: string, apply: (all: readonly Unread[]) => Unread[] | null): void {
  const input = { guild_id: guildId as Unread['guild_id'] }
  const key = queryKeyOf(listUnread, input)
  const state = cache.getQueryState<Unread[]>(key)
  if (!state) return
  const next = state.data && apply(state.data)
  if (next) cache.setQueryData(key, next)
  // An answer under way may be older than this change and would undo it; a pending invalidation stays.
  if (next === null || state.isInvalidated || state.fetchStatus === 'fetching')
    invalidateRoute(listUnread, input)
}

/**
 * As what a message is shown to the reader, by what they set for its channel and guild: `unread`, and as a
 * `mention` of them. Badges and notifications go by it.
 */
export function shownAs(known: Waiting, message: Message, me: SelfIn): ReturnType<typeof shows> {
  const isOther = message.author.id !== me.id
  const { notify_type } = known.notify_channels?.find((it) => it.channel_id === message.channel_id) ?? known
  const { unread, mention } = shows(notify_type)
  const isCall = isOther && mention && isMentioned(message, me.id, me.roles)
  return { unread: isCall || (isOther && unread), mention: isCall }
}

/**
 * The unread state of the guilds with a received message; one that was counted changes nothing. Null: only
 * the server knows.
 */
export function withMessageIn(
  all: readonly Waiting[],
  message: Message,
  me: SelfIn,
): readonly Waiting[] | null {
  const known = all.find((it) => it.guild_id === message.guild_id)
  if (!known) return null
  if (message.seq <= known.last_seq) return all
  const { unread, mention } = shownAs(known, message, me)
  const now: Waiting = {
    ...known,
    is_unread: known.is_unread || unread,
    mention_count: Math.min(UNREAD_MAX, known.mention_count + (mention ? 1 : 0)),
    last_seq: message.seq,
  }
  return all.map((it) => (it === known ? now : it))
}

/**
 * Updates the guild rail. An answer under way may or may not include the message, so it is requested again.
 */
function countInRail(message: Message, me: SelfIn): void {
  const key = queryKeyOf(listWaiting, {})
  const state = cache.getQueryState<Waiting[]>(key)
  if (!state) return
  const next = state.data && withMessageIn(state.data, message, me)
  if (next) cache.setQueryData(key, next)
  if (next === null || state.isInvalidated || state.fetchStatus === 'fetching') invalidateRoute(listWaiting)
}

/** Counts a received message. */
export function countMessage(message: Message): void {
  const me = selfIn(message.guild_id)
  if (!me) {
    // Whom it mentions is not known yet, but answers that are under way may be without it.
    invalidateRoute(listUnread, { guild_id: message.guild_id })
    invalidateRoute(listWaiting)
    return
  }
  change(message.guild_id, (all) => withMessage(all, message, me))
  countInRail(message, me)
}

/** The user's read mark moved, on this or another device. */
export function applyMark(mark: BodyOf<typeof readMarkUpdated>): void {
  change(mark.guild_id, (all) => withMark(all, mark))
  // Only the server knows what else is unread in the guild.
  invalidateRoute(listWaiting)
}

/** A message changed or was deleted: the counts are requested again, unless nothing is unread. */
export function recount(guildId: string, channelId: string): void {
  change(guildId, (all) =>
    all.some((it) => it.channel_id === channelId && it.unread_count > 0) ? null : [...all],
  )
  const rail = cache.getQueryData<Waiting[]>(queryKeyOf(listWaiting, {}))
  if (!rail || rail.some((it) => it.guild_id === guildId && it.is_unread)) invalidateRoute(listWaiting)
}
