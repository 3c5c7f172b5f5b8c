/** In which conversations somebody searches, and whom and what the names in a query mean. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import type { SearchQuery, Words } from '@guildhall/wire/search/query.ts'
import type { searchMessages } from '@guildhall/wire/search/search.ts'
import { folded } from '@guildhall/wire/user/nameSearch.ts'
import { type NamedChannel, textChannelsOf } from '../channel/channel.ts'
import { chatCodesOf } from '../chat/chat.ts'
import type { Db } from '../kit/database/db.ts'
import { peopleCalled } from '../member/member.ts'

/** What may be found: the channels and chats that the asker may view now. */
export interface Scope {
  readonly channels: readonly NamedChannel[]
  /** The other text channels of their guilds; null: these are some of what the asker may view. */
  readonly hidden: readonly ChannelId[] | null
  readonly chats: readonly string[]
}

type Where = Pick<InputOf<typeof searchMessages>, 'guild_id' | 'channel_id' | 'chat_code'>

/**
 * @throws Failure forbidden, for a channel or guild of which they may view nothing; chat.unknown
 */
export async function scopeOf(db: Db, userId: UserId, where: Where): Promise<Scope> {
  const { guild_id, channel_id, chat_code } = where
  if (chat_code !== undefined) {
    const codes = await chatCodesOf(db, userId)
    if (!codes.includes(chat_code)) throw fail('chat.unknown')
    return { channels: [], hidden: null, chats: [chat_code] }
  }
  const all = await textChannelsOf(db, userId)
  if (channel_id === undefined && guild_id === undefined)
    return {
      channels: all.seen,
      hidden: all.hidden.map(({ id }) => id),
      chats: await chatCodesOf(db, userId),
    }
  const inGuild = (it: { readonly guild_id: GuildId }) => guild_id === undefined || it.guild_id === guild_id
  const channels = all.seen.filter((it) => inGuild(it) && (channel_id === undefined || it.id === channel_id))
  if (channels.length === 0) throw fail('forbidden')
  const hidden = channel_id === undefined ? all.hidden.filter(inGuild).map(({ id }) => id) : null
  return { channels, hidden, chats: [] }
}

/** A query whose names were looked up. */
export interface ResolvedQuery {
  readonly words: readonly Words[]
  readonly scope: Scope
  /** Null: by anybody. */
  readonly authorIds: readonly UserId[] | null
  /** A message mentions one of each. */
  readonly mentioned: readonly (readonly UserId[])[]
}

/**
 * Looks up the names of a query. An operator whose name nobody has is words, as one that is spelled
 * wrongly.
 */
export async function resolve(db: Db, scope: Scope, query: SearchQuery): Promise<ResolvedQuery> {
  const words = [...query.words]
  const asWords = (text: string) => words.push({ text, isPhrase: false })
  const guildIds = [...new Set(scope.channels.map(({ guild_id }) => guild_id))]
  const authorIds: UserId[] = []
  for (const name of query.from) {
    const people = await peopleCalled(db, guildIds, name)
    if (people.length === 0) asWords(`from:${name}`)
    authorIds.push(...people)
  }
  const mentioned: UserId[][] = []
  for (const name of query.mentions) {
    const people = await peopleCalled(db, guildIds, name)
    if (people.length === 0) asWords(`mentions:${name}`)
    else mentioned.push(people)
  }
  let chats: readonly string[] = []
  const channels = query.in.flatMap((name) => {
    const found = scope.channels.filter((it) => isCalled(it, name))
    if (found.length > 0) return found
    if (CHATS.includes(folded(name)) && scope.chats.length > 0) chats = scope.chats
    else asWords(`in:${name}`)
    return []
  })
  return {
    words,
    scope: channels.length + chats.length > 0 ? { channels, hidden: null, chats } : scope,
    authorIds: authorIds.length > 0 ? authorIds : null,
    mentioned,
  }
}

/** What `in:` calls all private chats, unless a channel has that name. */
const CHATS = ['私信', 'chats']

const isCalled = ({ id, name }: NamedChannel, called: string): boolean =>
  id === called || folded(name) === folded(called.replace(/^#/, ''))
