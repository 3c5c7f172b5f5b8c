/** What is searched for and where, as the address of the page says it: `/search?q=…&guild=…`. Pure. */
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { QUERY_MAX } from '@guildhall/wire/search/search.ts'

export const KINDS = ['messages', 'pictures', 'videos', 'files', 'people', 'channels', 'guilds'] as const
/** What is listed. */
export type Kind = (typeof KINDS)[number]

/**
 * In which part of what one may view: that from which one came, its guild, all private chats, or
 * everything.
 */
export type Scope = 'channel' | 'guild' | 'chat' | 'chats' | 'all'

export const SORTS = ['time', 'fit'] as const

/** A search. `guildId`, `channelId` and `chatCode` say from where one came. */
export interface Asked {
  readonly q: string
  readonly guildId: GuildId | null
  readonly channelId: ChannelId | null
  readonly chatCode: string | null
  readonly scope: Scope
  readonly kind: Kind
  readonly sort: (typeof SORTS)[number]
}

const numberIn = (value: string | null): string | null => (value && /^\d+$/.test(value) ? value : null)

/** Reads the query of an address. What it does not know is left out. */
export function readAddress(search: string): Asked {
  const query = new URLSearchParams(search)
  const chat = query.get('chat')
  const from = {
    q: query.get('q') ?? '',
    guildId: numberIn(query.get('guild')) as GuildId | null,
    channelId: numberIn(query.get('channel')) as ChannelId | null,
    chatCode: chat && /^[0-9a-f]{32}$/.test(chat) ? chat : null,
  }
  const kind = KINDS.find((it) => it === query.get('kind')) ?? 'messages'
  const offered = scopesOf({ ...from, kind })
  return {
    ...from,
    scope: offered.find((it) => it === query.get('scope')) ?? offered[0] ?? 'all',
    kind,
    sort: SORTS.find((it) => it === query.get('sort')) ?? 'time',
  }
}

/** The scopes that can be chosen, the one where the search begins first. */
export function scopesOf(from: Pick<Asked, 'guildId' | 'channelId' | 'chatCode' | 'kind'>): readonly Scope[] {
  if (from.kind === 'guilds') return ['all']
  if (from.kind === 'people' || from.kind === 'channels')
    return from.guildId === null ? ['all'] : ['guild', 'all']
  if (from.chatCode !== null) return ['chat', 'chats', 'all']
  if (from.channelId !== null && from.guildId !== null) return ['channel', 'guild', 'all']
  if (from.channelId !== null) return ['channel', 'all']
  return from.guildId === null ? ['all', 'chats'] : ['guild', 'all']
}

/** The address of a search; what it says by default is left out. */
export function addressOf(asked: Asked): string {
  const { q, guildId, channelId, chatCode, scope, kind, sort } = asked
  const parts = {
    q,
    guild: guildId,
    channel: channelId,
    chat: chatCode,
    scope: scope === scopesOf(asked)[0] ? null : scope,
    kind: kind === 'messages' ? null : kind,
    sort: sort === 'time' ? null : sort,
  }
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value)
  const written = query.toString()
  return written === '' ? '/search' : `/search?${written}`
}

/** What the server searches for, and where. */
export function inputOf({ q, scope, guildId, channelId, chatCode }: Asked) {
  if (scope === 'channel' && channelId !== null) return { q, channel_id: channelId }
  if (scope === 'guild' && guildId !== null) return { q, guild_id: guildId }
  if (scope === 'chat' && chatCode !== null) return { q, chat_code: chatCode }
  // An operator at the beginning stays whole, where the words are as many as they may be.
  return { q: scope === 'chats' ? `in:chats ${q}`.slice(0, QUERY_MAX) : q }
}
