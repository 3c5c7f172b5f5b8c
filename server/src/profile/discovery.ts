/** Recommended guilds, which people find and join without an invite. */
import { fail } from '@guildhall/wire/failure.ts'
import { GUILD_CATEGORIES } from '@guildhall/wire/guild/category.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type * as wire from '@guildhall/wire/profile/discovery.ts'
import { PUBLIC_GUILDS_MAX, type PublicGuild } from '@guildhall/wire/profile/publicGuilds.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import { MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { fits, folded } from '@guildhall/wire/user/nameSearch.ts'
import { findGuild, recommendOf, spellingOf } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import type { Joining } from '../kit/moderation.ts'
import { isMember, joinOwn, requireMayJoin } from '../member/member.ts'
import * as rows from './sql.ts'

/** Sends the welcome message to a guild's channel, in the same transaction. */
export type Welcome = (
  tx: Tx,
  emit: Emit,
  input: { readonly guildId: GuildId; readonly channelId: ChannelId; readonly userId: UserId },
) => Promise<void>

/** More recommended guilds than this are not found. */
const RECOMMENDED_MAX = 1_000
/** The sizes by which guilds are sorted are at most this old: counting them reads every membership. */
const SIZES_KEPT_MS = MINUTE_MS
/** What the start page shows is at most this old: everybody who opens it asks for the same. */
const SHOWN_KEPT_MS = 10 * SECOND_MS

/** An answer that is asked for again when it is old, or when it failed. */
class Kept<T> {
  readonly #keptMs: Millis
  #answer: Promise<T> | null = null
  #until = 0

  constructor(keptMs: Millis) {
    this.#keptMs = keptMs
  }

  get(ask: () => Promise<T>): Promise<T> {
    if (this.#answer && clock.now() < this.#until) return this.#answer
    const answer = ask()
    this.#answer = answer
    this.#until = clock.now() + this.#keptMs
    answer.catch(() => {
      if (this.#answer === answer) this.#answer = null
    })
    return answer
  }
}

interface Query
  extends Pick<InputOf<typeof wire.listDiscoverables>, 'search' | 'category' | 'sort' | 'page'> {
  readonly size: number
}

/** The recommended guilds that everybody sees. */
export type PublicGuilds = () => Promise<readonly PublicGuild[]>

/** Recommended guilds as people find them. */
export class Discovery {
  readonly #of: Pick<AppContext, 'db' | 'presence'>
  readonly #sizes = new Kept<ReadonlyMap<GuildId, number>>(SIZES_KEPT_MS)
  readonly #shown = new Kept<readonly PublicGuild[]>(SHOWN_KEPT_MS)

  constructor(appContext: Pick<AppContext, 'db' | 'presence'>) {
    this.#of = appContext
  }

  /** A page of what is searched for, and the categories that recommended guilds have. */
  async list(userId: UserId, { search, category, sort, page, size }: Query) {
    const { db, presence } = this.#of
    const limit = Math.min(size, LIST_SIZE_MAX)
    const all = await this.#sorted(sort)
    const found = matching(
      all.filter((guild) => category === '' || guild.category === category),
      folded(search),
    )
    const ids = found.slice((page - 1) * limit, page * limit).map(({ id }) => id)
    const shown = new Map((await rows.discoverables(db, userId, ids)).map((guild) => [guild.id, guild]))
    return {
      // One that was deleted meanwhile is missing.
      items: ids
        .flatMap((id) => shown.get(id) ?? [])
        .map((guild) => ({ ...guild, online: presence.onlineCount(guild.id) })),
      categories: GUILD_CATEGORIES.filter((each) => all.some((guild) => guild.category === each)),
      meta: { page, page_total: Math.ceil(found.length / limit), page_size: limit, total: found.length },
      sort: {},
    }
  }

  /** Those with the most boost packs, for everybody. */
  publicGuilds(): Promise<readonly PublicGuild[]> {
    return this.#shown.get(async () => {
      const { db, presence } = this.#of
      const first = await rows.recommendedGuilds(db, 'boost_num', PUBLIC_GUILDS_MAX)
      const ids = first.map(({ id }) => id)
      const shown = new Map((await rows.discoverables(db, null, ids)).map((guild) => [guild.id, guild]))
      return ids.flatMap((id) => {
        const guild = shown.get(id)
        if (!guild) return []
        const { name, icon, desc, banner, members } = guild
        return [{ id, name, icon, desc, banner, members, online: presence.onlineCount(id) }]
      })
    })
  }

  async #sorted(sort: wire.DiscoverySort): Promise<rows.RecommendedRow[]> {
    const { db } = this.#of
    const all = await rows.recommendedGuilds(
      db,
      sort === '-boost_num' ? 'boost_num' : 'created_at',
      RECOMMENDED_MAX,
    )
    if (sort !== '-members') return all
    const sizes = await this.#sizes.get(() => rows.recommendedSizes(this.#of.db))
    return all.toSorted((a, b) => (sizes.get(b.id) ?? 0) - (sizes.get(a.id) ?? 0))
  }
}

/** The guilds that a folded search fits, by name before those by description, else in the given order. */
export function matching(
  guilds: readonly rows.RecommendedRow[],
  search: string,
): readonly rows.RecommendedRow[] {
  if (search === '') return guilds
  const ranks = guilds.flatMap((guild) => {
    const rank = fits(search, guild.name, spellingOf(guild.name))
    if (rank !== null) return [{ guild, rank: rank as number }]
    return folded(guild.desc).includes(search) ? [{ guild, rank: 3 }] : []
  })
  return ranks.sort((a, b) => a.rank - b.rank).map(({ guild }) => guild)
}

/**
 * Makes a person a member of a recommended guild, and sends the welcome message. A member is never refused.
 * @throws Failure profile.not_recommended, guild.banned, guild.full, too_many, moderation.raid,
 *   moderation.raid_slow, captcha.needed
 */
export const joinDiscoverable = async (
  appContext: AppContext,
  joining: Joining,
  welcome: Welcome,
): Promise<void> => {
  const { guildId, userId } = joining
  if (await recommendOf(appContext.db, guildId)) await requireMayJoin(appContext, joining)
  await commit(appContext, async (tx, emit) => {
    if (await isMember(tx, guildId, userId)) return
    const guild = await findGuild(tx, guildId)
    if (!guild || !(await recommendOf(tx, guildId))) throw fail('profile.not_recommended')
    const isNew = await joinOwn(tx, emit, guildId, userId)
    const channelId = guild.welcome_channel_id
    if (isNew && channelId) await welcome(tx, emit, { guildId, channelId, userId })
  })
}
