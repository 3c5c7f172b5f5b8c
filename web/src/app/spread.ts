/**
 * Spreads what all pages of a guild ask for after an event over some time, so that they do not ask all at
 * once.
 */
import type { GuildId } from '@guildhall/wire/id.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { cache, queryKeyOf } from '../kit/routeQuery.ts'

/** For each page of the guild, ms: what it asks takes a server about so long. */
const PAGE_MS = 2
const SPREAD_MAX_MS = 30_000
/** How many are taken to be there where the page has not asked for it. */
const ONLINE_UNKNOWN = 500

/** The acts that wait, by what they do and the guild. */
const waiting = new Set<string>()

/**
 * Does `act` at a random time that depends on how many are online in the guild: at once where they are few.
 * One that waits already is not done twice, as it asks for what is then the newest.
 */
export function spread(name: string, guildId: string, act: () => void): void {
  const key = `${name} ${guildId}`
  if (waiting.has(key)) return
  const known = cache.getQueryData<AnswerOf<typeof viewActivity>>(
    queryKeyOf(viewActivity, { guild_id: guildId as GuildId }),
  )
  const online = known?.online_count ?? ONLINE_UNKNOWN
  waiting.add(key)
  setTimeout(
    () => {
      waiting.delete(key)
      act()
    },
    Math.random() * Math.min(SPREAD_MAX_MS, online * PAGE_MS),
  )
}
