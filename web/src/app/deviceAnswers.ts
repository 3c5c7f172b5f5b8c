/**
 * Answers of calls that this device keeps, so that the shell shows something before the network answers: who the user is,
 * their guilds, and each guild that was open. A logout deletes them with the database (`kit/storage.ts`).
 */
import { userState } from '@guildhall/wire/auth/auth.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import type { Route } from '@guildhall/wire/route.ts'
import type { Self } from '@guildhall/wire/user/user.ts'
import { WIRE_VERSION } from '@guildhall/wire/version.ts'
import { CallFailure, type CallInput } from '../kit/call.ts'
import { queryDb } from '../kit/indexedDb.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'
import { readStored } from '../kit/storage.ts'

interface KeptAnswer {
  readonly key: string
  readonly me: string
  /** Answers of another version are ignored: they may have had another shape. */
  readonly version: number
  readonly data: unknown
}

const KEPT: readonly Route[] = [userState, listGuilds, viewGuild]
const keyOf = (route: Route, input: object) => JSON.stringify(queryKeyOf(route, input))

/** Keeps what the cache receives from now on, and forgets what the user may no longer see. */
export function keepAnswers(): void {
  cache.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || !KEPT.some(({ path }) => path === query.queryKey[1])) return
    const key = JSON.stringify(query.queryKey)
    const { data, error, status, fetchStatus, dataUpdatedAt } = query.state
    if (fetchStatus !== 'idle') return
    if (status === 'success' && dataUpdatedAt > RESTORED_AT) void keep(key, data)
    if (error instanceof CallFailure && error.name === 'forbidden') void forget(key)
  })
}

/** Restored answers count as outdated since then: they are requested again as soon as they are used. */
const RESTORED_AT = 1

async function keep(key: string, data: unknown): Promise<void> {
  const me = readStored('auth')?.id
  if (me === undefined) return
  // The token in the answer stays where it is: in the storage that a logout clears at once.
  const kept: KeptAnswer = {
    ...{ key, me, version: WIRE_VERSION },
    data: key === SELF_KEY ? (data as { user: Self }).user : data,
  }
  await queryDb('answers', 'readwrite', (store) => store.put(kept))
}

const forget = (key: string) => queryDb('answers', 'readwrite', (store) => store.delete(key))

const SELF_KEY = keyOf(userState, {})

async function read(key: string, me: string): Promise<unknown> {
  const found = await queryDb('answers', 'readonly', (store) => store.get(key) as IDBRequest<KeptAnswer>)
  const kept = found?.answer
  return kept && kept.me === me && kept.version === WIRE_VERSION ? kept.data : undefined
}

let restoredSelf: Self | null = null

/** The user as this device knows them, until the network answers; null when it does not, or somebody else is logged in. */
export const selfOnDevice = (): Self | null =>
  restoredSelf !== null && restoredSelf.id === readStored('auth')?.id ? restoredSelf : null

/** Puts what the device has for a route into the cache. Whether it is enough to show the route. */
export async function restoreAnswers(guildId: GuildId | null): Promise<boolean> {
  const me = readStored('auth')?.id
  if (me === undefined) return false
  const restore = async <R extends Route>(route: R, input: CallInput<R>) => {
    const data = await read(keyOf(route, input), me)
    const key = queryKeyOf(route, input)
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
