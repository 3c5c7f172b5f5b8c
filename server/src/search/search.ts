/**
 * Searching messages: what is asked, whom of it the asker may see, and the page that is shown. Decision
 * 131.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { readQuery, type SearchQuery } from '@guildhall/wire/search/query.ts'
import { FILE_KINDS, HITS_MAX, type searchFiles, type searchMessages } from '@guildhall/wire/search/search.ts'
import type { NamedChannel } from '../channel/channel.ts'
import { type ChatContext, chatCandidates, lastSentPrivatelyAt, privatelyListed } from '../chat/chat.ts'
import { listGuilds } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import { type Readers, readAnywhere } from '../kit/database/replica.ts'
import {
  channelCandidates,
  lastSentAt,
  listedByIds,
  type SearchedRow,
  type SearchPosition,
} from '../message/message.ts'
import { type Found, findIn, type Hit, hitOf, type Source, type Wanted } from './find.ts'
import { anyOf, quoted } from './lexemes.ts'
import { openReader } from './reader.ts'
import { resolve, type Scope, scopeOf } from './scope.ts'
import { requireIndexes } from './searchIndex.ts'

export { differences, makeMissing, progress, rebuild } from './searchIndex.ts'

type Answer = AnswerOf<typeof searchMessages>
type Where = Omit<InputOf<typeof searchMessages>, 'q'>

/**
 * A page of what somebody finds.
 * @throws Failure forbidden, chat.unknown, message.unknown (no such `before` in what they may view),
 *   search.not_ready
 */
export const search = (
  appContext: ChatContext,
  userId: UserId,
  { q, ...where }: InputOf<typeof searchMessages>,
): Promise<Answer> => answerOf(appContext, userId, { q, kinds: [] }, where)

/**
 * A page of the files that somebody finds by name, or of all.
 * @throws Failure as `search` does
 */
export const findFiles = (
  appContext: ChatContext,
  userId: UserId,
  { q, kind, ...where }: InputOf<typeof searchFiles>,
): Promise<Answer> =>
  answerOf(appContext, userId, { q, kinds: kind === undefined ? FILE_KINDS : [kind] }, where)

/**
 * The newest hits in some channels, at most `most`, whoever may view them: the rights are those of the
 * caller.
 */
export async function findWithin(
  readers: Readers,
  channels: readonly NamedChannel[],
  q: string,
  most: number,
): Promise<Found> {
  const { hits, isAll } = await hitsOf(
    readers,
    { channels, hidden: null, chats: [] },
    { q, kinds: [] },
    null,
    most,
  )
  return { hits: hits.slice(0, most), isAll: isAll && hits.length <= most }
}

/** A message that was kept, by its words alone. */
export type KeptMessage = Pick<SearchedRow, 'id' | 'create_at'> & { readonly words: string }

/**
 * The same among messages that were kept, which no index has: by words and times. What else a query asks for
 * was not kept, so it finds nothing.
 */
export async function findAmong(kept: readonly KeptMessage[], q: string, most: number): Promise<Found> {
  const query = readQuery(q, clock.now())
  const reader = await openReader()
  const sought = reader.sought(query.words)
  const unknown = [query.from, query.in, query.mentions, query.has, query.is].flat()
  if (unknown.length > 0 || (sought.length === 0 && !hasTime(query))) return { hits: [], isAll: true }
  const rows = kept
    .map(({ id, create_at, words }): SearchedRow => {
      const raw_content = words
      return {
        id,
        create_at,
        updated_at: 0,
        raw_content,
        seq: 0,
        kind: 'kmarkdown',
        cards: null,
        file_name: null,
        titles: [],
      }
    })
    .filter(({ create_at }) => create_at >= query.since && create_at < query.until)
    .toSorted(newestFirst)
  const hits = rows.flatMap((row) => hitOf(row, sought, reader) ?? [])
  return { hits: hits.slice(0, most), isAll: hits.length <= most }
}

interface Asked {
  readonly q: string
  readonly kinds: Wanted['kinds']
}

async function answerOf(
  appContext: ChatContext,
  userId: UserId,
  asked: Asked,
  { sort, page, page_size, before, ...where }: Where,
): Promise<Answer> {
  const scope = await scopeOf(appContext.db, userId, where)
  const position = before === undefined ? null : await positionOf(appContext, userId, before)
  const { hits, isAll } = await hitsOf(appContext, scope, asked, position, HITS_MAX)
  const counted = hits.slice(0, HITS_MAX)
  if (sort === 'fit') counted.sort((a, b) => b.fit - a.fit || newestFirst(a, b))
  return {
    items: await itemsOf(appContext, userId, counted.slice((page - 1) * page_size, page * page_size)),
    meta: {
      page,
      page_total: Math.ceil(counted.length / page_size),
      page_size,
      total: counted.length,
      more: !isAll || hits.length > HITS_MAX,
    },
    sort: {},
  }
}

const newestFirst = (a: SearchPosition, b: SearchPosition): number =>
  b.create_at - a.create_at || b.seq - a.seq || (a.id < b.id ? 1 : -1)

/** The newest `most`, and one more, to know whether there are more. */
async function hitsOf(
  readers: Readers,
  all: Scope,
  asked: Asked,
  before: SearchPosition | null,
  most: number,
): Promise<Found> {
  const { db } = readers
  await requireIndexes(db)
  const query = readQuery(asked.q, clock.now())
  const { words, scope, authorIds, mentioned } = await resolve(db, all, query)
  const reader = await openReader()
  const sought = reader.sought(words)
  const { has, is, since, until } = query
  const isNarrowed =
    authorIds !== null || mentioned.length + has.length + is.length + asked.kinds.length > 0 || hasTime(query)
  if (sought.length === 0 && !isNarrowed) return { hits: [], isAll: true }
  const sources = await sourcesOf(readers, scope)
  const find = async (what: Pick<Wanted, 'sought' | 'mostRead'>): Promise<Found> => {
    const filter = { since, until, authorIds, mentioned, has, is }
    const wanted = { ...what, filter, before, kinds: asked.kinds, most: most + 1 }
    const found = await Promise.all(sources.map((source) => findIn(source, wanted, reader)))
    const hits = found.flatMap((it) => it.hits).sort(newestFirst)
    return { hits: hits.slice(0, most + 1), isAll: found.every((it) => it.isAll) }
  }
  const found = await find({ sought, mostRead: READ_MAX })
  // A page further on may have none, while the first one has.
  if (found.hits.length > 0 || before !== null) return found
  const spelled = reader.spelled(words)
  if (!spelled) return found
  const isKnown = spelled.every(({ condition }) => condition !== null)
  return find({ sought: spelled, mostRead: isKnown ? READ_MAX : SPELLED_READ_MAX })
}

/** A bound on what one search costs: characters that are everywhere and never together. */
const READ_MAX = 50_000
/** First letters are looked for in so many of the newest messages: no index has them. */
const SPELLED_READ_MAX = 1100

const hasTime = ({ since, until }: SearchQuery): boolean => since > 0 || until < Number.MAX_SAFE_INTEGER

/** So many channels can be named in a condition; more are left to the rows. */
const NAMED_MAX = 100

/**
 * What narrows guilds down to the channels of a scope: these, or all but those that the asker may not view.
 */
function withinGuilds({ channels, hidden }: Scope): string {
  const name = (ids: readonly ChannelId[]) => anyOf(ids.map((id) => quoted(`#c${id}`)))
  if (hidden === null) return channels.length <= NAMED_MAX ? ` & ${name(channels.map(({ id }) => id))}` : ''
  return hidden.length > 0 && hidden.length <= NAMED_MAX ? ` & !${name(hidden)}` : ''
}

async function sourcesOf(readers: Readers, scope: Scope): Promise<Source[]> {
  const { db } = readers
  const { channels, chats } = scope
  const sources: Source[] = []
  if (channels.length > 0) {
    const ids = channels.map(({ id }) => id)
    const guilds = [...new Set(channels.map(({ guild_id }) => guild_id))]
    sources.push({
      scopes: guilds.map((id) => `#g${id}`),
      within: withinGuilds(scope),
      newest: Math.max(clock.now(), await lastSentAt(db, guilds)),
      read: (filter, limit) =>
        readAnywhere(readers, (reading) => channelCandidates(reading, ids, filter, limit)),
    })
  }
  if (chats.length > 0)
    sources.push({
      scopes: chats.map((code) => `#p${code}`),
      within: '',
      newest: Math.max(clock.now(), await lastSentPrivatelyAt(db, chats)),
      read: (filter, limit) =>
        readAnywhere(readers, (reading) => chatCandidates(reading, chats, filter, limit)),
    })
  return sources
}

/** Where a message that somebody may view stands. @throws Failure message.unknown */
async function positionOf(appContext: ChatContext, userId: UserId, id: MessageId): Promise<SearchPosition> {
  const found =
    (await listedByIds(appContext, userId, [id])).get(id) ??
    (await privatelyListed(appContext, userId, [id])).get(id)
  if (!found) throw fail('message.unknown')
  return { id, seq: found.message.seq, create_at: found.message.create_at }
}

/** The hits as they are now: what was edited since it was found, or may be viewed no longer, is left out. */
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
  return hits.flatMap(({ id, updated_at, marks }): Answer['items'] => {
    const inChannel = inChannels.get(id)
    const inChat = inChats?.get(id)
    if ((inChannel ?? inChat)?.message.updated_at !== updated_at) return []
    const guild = inChannel && guilds.get(inChannel.channel.guild_id)
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
    return inChat ? [{ marks: [...marks], channel: null, guild: null, ...inChat }] : []
  })
}
