/**
 * Answers of calls that this device keeps, so that the shell shows something before the network answers: who
 * the user is, their guilds, and each guild that was open. A logout deletes them with the database
 * (`kit/storage.ts`).
 */
import type { Session } from '@guildhall/wire/auth/auth.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Route } from '@guildhall/wire/route.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { WIRE_VERSION } from '@guildhall/wire/version.ts'
import type { Query } from '@tanstack/react-query'
import { queryDb } from '../kit/browser/indexedDb.ts'
import { readStored } from '../kit/browser/storage.ts'
import { CallFailure, type CallInput } from '../kit/call.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'

interface KeptAnswer {
  readonly key: string
  readonly me: string
  /** Answers of another version are ignored: they may have had another shape. */
  readonly version: number
  readonly data: unknown
}

const KEPT: readonly Route[] = [userState, listGuilds, viewGuild]
const keyOf = (queryKey: readonly unknown[]) => JSON.stringify(queryKey)
const SELF_KEY = keyOf(queryKeyOf(userState, {}))

/** Keeps what the cache receives from now on, and forgets what the user may no longer see. */
export function keepAnswers(): void {
  const queries = cache.getQueryCache()
  queries.subscribe(({ type, query }) => {
    if (type !== 'updated' || !isKept(query) || query.state.fetchStatus !== 'idle') return
    const { error } = query.state
    if (error instanceof CallFailure && error.name === 'forbidden') void forget(keyOf(query.queryKey))
    // Others may have been answered before it was known who the user is.
    else if (keyOf(query.queryKey) === SELF_KEY) for (const each of queries.getAll()) keep(each)
    else keep(query)
  })
}

const isKept = (query: Query) => KEPT.some(({ path }) => path === query.queryKey[1])

/** Restored answers count as outdated since then: they are requested again as soon as they are used. */
const RESTORED_AT = 1

function keep(query: Query): void {
  const { data, dataUpdatedAt } = query.state
  const me = cache.getQueryData<Session>(queryKeyOf(userState, {}))?.user.id
  if (me === undefined || data === undefined || dataUpdatedAt <= RESTORED_AT || !isKept(query)) return
  const key = keyOf(query.queryKey)
  // The token in the answer stays where it is: in the storage that a logout clears at once.
  const own = key === SELF_KEY ? (data as Session).user : data
  const kept: KeptAnswer = { key, me, version: WIRE_VERSION, data: own }
  void queryDb('answers', 'readwrite', (store) => store.put(kept))
}

const forget = (key: string) => queryDb('answers', 'readwrite', (store) => store.delete(key))

async function read(key: string, me: string): Promise<unknown> {
  const found = await queryDb('answers', 'readonly', (store) => store.get(key) as IDBRequest<KeptAnswer>)
  const kept = found?.answer
  return kept && kept.me === me && kept.version === WIRE_VERSION ? kept.data : undefined
}

let restoredSelf: Self | null = null

/**
 * The user as this device knows them, until the network answers; null when it does not, or somebody else is
 * logged in.
 */
export const selfOnDevice = (): Self | null =>
  restoredSelf !== null && restoredSelf.id === readStored('auth')?.id ? restoredSelf : null

/** Puts what the device has for a route into the cache. Whether it is enough to show the route. */
export async function restoreAnswers(guildId: GuildId | null): Promise<boolean> {
  const me = readStored('auth')?.id
  if (me === undefined) return false
  const restore = async <R extends Route>(route: R, input: CallInput<R>) => {
    const key = queryKeyOf(route, input)
    const data = await read(keyOf(key), me)
    if (data !== undefined && cache.getQueryData(key) === undefined)
      cache.setQueryData(key, data, { updatedAt: RESTORED_AT })
    return data !== undefined
  }
  const [self, guilds, guild] = await Promise.all([
    read(SELF_KEY, me),
    restore(listGuilds, {}),
    guildId === null ? false : restore(viewGuild, { id: guildId }),
  ])
  if (self === undefined) return false
  restoredSelf = self as Self
  return guildId === null ? guilds : guild
}
