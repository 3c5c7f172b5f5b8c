/** Searching messages: what is asked, whom of it the asker may see, and the page that is shown. Decision 131. */
import { fail } from '@guildhall/wire/failure.ts'
import type { MessageId, UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { readQuery, type SearchQuery } from '@guildhall/wire/search/query.ts'
import { HITS_MAX, type searchMessages } from '@guildhall/wire/search/search.ts'
import { type ChatContext, chatCandidates, privatelyListed } from '../chat/chat.ts'
import { listGuilds } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import { channelCandidates, listedByIds, type SearchPosition } from '../message/message.ts'
import { findIn, type Hit, type Source, type Wanted } from './find.ts'
import { openReader } from './reader.ts'
import { type ResolvedQuery, resolve, type Scope, scopeOf } from './scope.ts'

export { differences, progress, rebuild } from './searchIndex.ts'

type Input = InputOf<typeof searchMessages>
type Answer = AnswerOf<typeof searchMessages>

/**
 * A page of what somebody finds.
 * @throws Failure forbidden, chat.unknown, message.unknown (no such `before` in what they may view)
 */
export async function search(appContext: ChatContext, userId: UserId, input: Input): Promise<Answer> {
  const { db } = appContext
  const query = readQuery(input.q, clock.now())
  const scope = await scopeOf(db, userId, input)
  const resolved = await resolve(db, scope, query)
  const before = input.before === undefined ? null : await positionOf(appContext, userId, input.before)
  const hits = await hitsOf(db, query, resolved, before)
  const counted = hits.slice(0, HITS_MAX)
  if (input.sort === 'fit') counted.sort((a, b) => b.fit - a.fit || newestFirst(a, b))
  const page = counted.slice((input.page - 1) * input.page_size, input.page * input.page_size)
  return {
    items: await itemsOf(appContext, userId, page),
    meta: {
      page: input.page,
      page_total: Math.ceil(counted.length / input.page_size),
      page_size: input.page_size,
      total: counted.length,
      more: hits.length > HITS_MAX,
    },
    sort: {},
  }
}

const newestFirst = (a: SearchPosition, b: SearchPosition): number =>
  b.create_at - a.create_at || b.seq - a.seq || (a.id < b.id ? 1 : -1)

/** One more than is counted, to know whether there are more. */
async function hitsOf(
  db: Db,
  query: SearchQuery,
  { words, scope, authorIds, mentioned }: ResolvedQuery,
  before: SearchPosition | null,
): Promise<Hit[]> {
  const reader = await openReader()
  const sought = reader.sought(words)
  const isNarrowed =
    authorIds !== null ||
    mentioned.length > 0 ||
    query.has.length > 0 ||
    query.is.length > 0 ||
    hasTime(query)
  if (sought.length === 0 && !isNarrowed) return []
  const { has, is, since, until } = query
  const filter = { since, until, authorIds, mentioned, has, is }
  const sources = sourcesOf(db, scope)
  const find = async (wanted: Pick<Wanted, 'sought' | 'mostRead'>) => {
    const all = { ...wanted, filter, before, most: HITS_MAX + 1 }
    const found = await Promise.all(sources.map((it) => findIn(it, all, reader, clock.now())))
    return found
      .flat()
      .sort(newestFirst)
      .slice(0, HITS_MAX + 1)
  }
  const hits = await find({ sought })
  // A page further on may have none, while the first one has.
  if (hits.length > 0 || before !== null) return hits
  const spelled = reader.spelled(words)
  if (!spelled) return []
  const isBounded = spelled.some(({ condition }) => condition === null)
  return find({ sought: spelled, ...(isBounded && { mostRead: SPELLED_READ_MAX }) })
}

/** First letters are looked for in so many of the newest messages: no index has them. */
const SPELLED_READ_MAX = 5000

const hasTime = ({ since, until }: SearchQuery): boolean => since > 0 || until < Number.MAX_SAFE_INTEGER

/** More channels are looked for by their guilds. */
const CHANNELS_MAX = 300

function sourcesOf(db: Db, { channels, chats }: Scope): Source[] {
  const sources: Source[] = []
  if (channels.length > 0) {
    const ids = channels.map(({ id }) => id)
    const guilds = [...new Set(channels.map(({ guild_id }) => guild_id))]
    sources.push({
      scopes: ids.length <= CHANNELS_MAX ? ids.map((id) => `#c${id}`) : guilds.map((id) => `#g${id}`),
      read: (filter, limit) => channelCandidates(db, ids, filter, limit),
    })
  }
  if (chats.length > 0)
    sources.push({
      scopes: chats.map((code) => `#p${code}`),
      read: (filter, limit) => chatCandidates(db, chats, filter, limit),
    })
  return sources
}

/** Where a message stands that the asker may view. @throws Failure message.unknown */
async function positionOf(appContext: ChatContext, userId: UserId, id: MessageId): Promise<SearchPosition> {
  const found =
    (await listedByIds(appContext, userId, [id])).get(id) ??
    (await privatelyListed(appContext, userId, [id])).get(id)
  if (!found) throw fail('message.unknown')
  return { id, seq: found.message.seq, create_at: found.message.create_at }
}

/** The messages of hits, as their reader may view them at this moment. */
async function itemsOf(
  appContext: ChatContext,
  userId: UserId,
  hits: readonly Hit[],
): Promise<Answer['items']> {
  if (hits.length === 0) return []
  const ids = hits.map(({ id }) => id)
  const inChannels = await listedByIds(appContext, userId, ids)
  const inChats = inChannels.size === hits.length ? null : await privatelyListed(appContext, userId, ids)
  const guilds = new Map((await listGuilds(appContext.db, userId)).map((guild) => [guild.id, guild]))
  return hits.flatMap(({ id, marks }): Answer['items'] => {
    const inChannel = inChannels.get(id)
    const guild = inChannel && guilds.get(inChannel.message.guild_id)
    if (inChannel && guild) {
      const { message, channel } = inChannel
      return [
        {
          marks: [...marks],
          message,
          channel: { id: channel.id, name: channel.name },
          guild: { id: guild.id, name: guild.name, icon: guild.icon },
        },
      ]
    }
    const inChat = inChats?.get(id)
    return inChat ? [{ marks: [...marks], channel: null, guild: null, ...inChat }] : []
  })
}
