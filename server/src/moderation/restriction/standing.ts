/** What restrictions ask of a person: their account, and what they were punished for. Decision 122. */
import { CHINA } from '@guildhall/wire/auth/mobile.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { type Condition, PUNISHED_DAYS } from '@guildhall/wire/moderation/moderation.ts'
import { DAY_MS, MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { clock } from '../../kit/clock.ts'
import { int8 } from '../../kit/database/columns.ts'
import type { AppContext } from '../../kit/events/events.ts'

type Context = Pick<AppContext, 'db' | 'verifiesNames'>

export interface Standing {
  readonly created_at: Millis
  /** Their number is of elsewhere than mainland China. */
  readonly is_overseas: boolean
  /** Within `PUNISHED_DAYS`. */
  readonly is_punished: boolean
  /** It is not verified, although it can be. */
  readonly lacks_real_name: boolean
}

/** Whether a condition is true of somebody at a time, ms. */
export function isTrueOf({ type, duration }: Condition, who: Standing, at: Millis): boolean {
  switch (type) {
    case 'reg':
      return at - who.created_at < (duration ?? 0) * MINUTE_MS
    case 'overseas':
      return who.is_overseas
    case 'banned':
      return who.is_punished
    case 'real_auth':
      return who.lacks_real_name
  }
}

/** Of those who have an account, as they are now. */
export async function standingsIn(
  { db, verifiesNames }: Context,
  guildId: GuildId,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Standing>> {
  const since = int8(clock.now() - PUNISHED_DAYS * DAY_MS)
  const { rows } = await sql<Standing & { readonly id: UserId }>`
    select id::text, created_at::float8 as created_at,
      mobile <> '' and mobile_prefix <> ${CHINA} as is_overseas,
      ${verifiesNames === true}::bool and not exists
        (select 1 from real_name it where it.user_id = "user".id) as lacks_real_name,
      exists (select 1 from security_event it
              where it.user_id = "user".id and it.kind = 'user suspend' and it.at >= ${since}::bigint)
        or exists (select 1 from guild_audit it
                   where it.guild_id = ${guildId} and it.person_id = "user".id and it.at >= ${since}::bigint
                     and it.type in ('member_muted', 'member_kicked', 'member_banned')) as is_punished
    from "user" where id = any(${[...new Set(userIds)]}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...standing }) => [id, standing]))
}

/** How long a standing is believed, and how many are kept. */
const KEPT_FOR_MS = 10 * SECOND_MS
const KEPT = 20_000

/** Standings of those whom restrictions are asked about, each read once in ten seconds. */
export class Standings {
  readonly #context: Context
  readonly #kept = new Map<string, { readonly until: Millis; readonly standing: Promise<Standing | null> }>()

  constructor(context: Context) {
    this.#context = context
  }

  of(guildId: GuildId, userId: UserId): Promise<Standing | null> {
    const key = `${guildId} ${userId}`
    const now = clock.now()
    const kept = this.#kept.get(key)
    if (kept && now < kept.until) return kept.standing
    if (this.#kept.size >= KEPT) this.#kept.clear()
    const standing = standingsIn(this.#context, guildId, [userId]).then((found) => found.get(userId) ?? null)
    this.#kept.set(key, { until: now + KEPT_FOR_MS, standing })
    // What could not be read is read again by the next message.
    standing.catch(() => this.#kept.delete(key))
    return standing
  }
}
