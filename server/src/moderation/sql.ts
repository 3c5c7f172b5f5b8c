/** The rules of guilds, and how often they caught something. */
import { beijingDay } from '@guildhall/wire/beijing.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Condition, GUILDS_ARE, RuleAct, RuleKind } from '@guildhall/wire/moderation/moderation.ts'
import { DAY_MS, type Millis } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { clock } from '../kit/clock.ts'
import { int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

/** What a rule looks for: the fields of its kind. */
export interface LooksFor {
  readonly words?: readonly string[] | undefined
  readonly patterns?: readonly string[] | undefined
  readonly count?: number | undefined
  readonly repeats?: number | undefined
  readonly seconds?: number | undefined
  readonly guilds?: readonly string[] | undefined
  readonly guilds_are?: (typeof GUILDS_ARE)[number] | undefined
  readonly action?: number | undefined
  readonly conditions?: readonly Condition[] | undefined
  readonly limit_time?: number | undefined
}

export interface RuleRow {
  readonly id: string
  readonly guild_id: GuildId
  readonly name: string
  readonly kind: RuleKind
  readonly looks_for: LooksFor
  readonly acts: readonly RuleAct[]
  readonly exempt_roles: readonly number[]
  readonly exempt_channels: readonly ChannelId[]
  /** What the author of a stopped message reads; empty: the general words. */
  readonly message: string
  readonly is_on: boolean
  readonly user_id: UserId
  readonly created_at: Millis
  readonly updated_at: Millis
}

const columns = sql`id::text, guild_id::text, name, kind, looks_for, acts, exempt_roles, exempt_channels::text[], message,
  is_on, user_id::text,
  created_at::float8 as created_at, updated_at::float8 as updated_at`

/** The rules of a guild, the oldest first. */
export async function ofGuild(db: Db, guildId: GuildId): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${columns} from guild_rule where guild_id = ${guildId} order by guild_rule.id`.execute(db)
  return rows
}

export type RuleFields = Pick<
  RuleRow,
  'name' | 'looks_for' | 'acts' | 'exempt_roles' | 'exempt_channels' | 'message' | 'is_on'
>

export async function add(
  tx: Tx,
  input: RuleFields & Pick<RuleRow, 'guild_id' | 'kind' | 'user_id'>,
  now: Millis,
): Promise<RuleRow> {
  const { rows } = await sql<RuleRow>`
    insert into guild_rule
      (guild_id, name, kind, looks_for, acts, exempt_roles, exempt_channels, message, is_on, user_id, created_at,
        updated_at)
    values (${input.guild_id}, ${input.name}, ${input.kind}, ${JSON.stringify(input.looks_for)},
      ${JSON.stringify(input.acts)}, ${[...input.exempt_roles]}::int4[], ${[...input.exempt_channels]}::bigint[],
      ${input.message}, ${input.is_on}, ${input.user_id}, ${int8(now)}::bigint, ${int8(now)}::bigint)
    returning ${columns}`.execute(tx)
  return rows[0]!
}

export async function change(tx: Tx, id: string, to: RuleFields, now: Millis): Promise<void> {
  await sql`
    update guild_rule set name = ${to.name}, looks_for = ${JSON.stringify(to.looks_for)},
      acts = ${JSON.stringify(to.acts)}, exempt_roles = ${[...to.exempt_roles]}::int4[],
      exempt_channels = ${[...to.exempt_channels]}::bigint[], message = ${to.message}, is_on = ${to.is_on},
      updated_at = ${int8(now)}::bigint
    where id = ${id}::bigint`.execute(tx)
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await sql`delete from guild_rule where id = ${id}::bigint`.execute(tx)
}

/** The rules of a guild are others from now on. */
export async function raiseVersion(tx: Tx, guildId: GuildId): Promise<void> {
  await sql`
    update guild set rules_version = (abs(rules_version) + 1) *
      case when exists (select 1 from guild_rule where guild_id = ${guildId} and is_on and kind <> 'raid') then 1 else -1 end
    where id = ${guildId}`.execute(tx)
}

/** Days that are counted. */
const DAYS = 7

/** Counts what a rule caught on a day, since 1970, unless it was deleted meanwhile. */
export async function countCaught(db: Db, id: string, day: number): Promise<void> {
  await sql`
    insert into guild_rule_day as it (rule_id, slot, day, caught)
    select id, ${day % DAYS}::int2, ${day}::int4, 1 from guild_rule where id = ${id}::bigint
    on conflict (rule_id, slot) do update set day = excluded.day,
      caught = case when it.day = excluded.day then it.caught + 1 else 1 end`.execute(db)
}

/** What the rules of a guild caught in the seven days that end with `day`, by rule. */
export async function caughtOf(db: Db, guildId: GuildId, day: number): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ id: string; caught: number }>`
    select guild_rule.id::text, sum(caught)::int4 as caught
    from guild_rule join guild_rule_day on rule_id = guild_rule.id
    where guild_id = ${guildId} and day > ${day - DAYS}::int4
    group by guild_rule.id`.execute(db)
  return new Map(rows.map(({ id, caught }) => [id, caught]))
}

/** Today in Beijing, days since 1970. */
export const today = (): number => Date.parse(beijingDay(clock.now())) / DAY_MS

/**
 * Until when people are kept from joining a guild, ms (0: they are not), or let in one at a time or by a
 * captcha.
 */
export interface Pause {
  readonly paused_until: Millis
  readonly pause_is_slow: boolean
  readonly pause_asks_captcha: boolean
}

export async function pauseOf(db: Db, guildId: GuildId): Promise<Pause> {
  const { rows } = await sql<Pause>`
    select coalesce(paused_until, 0)::float8 as paused_until, pause_is_slow, pause_asks_captcha from guild
    where id = ${guildId}`.execute(db)
  return rows[0] ?? { paused_until: 0, pause_is_slow: false, pause_asks_captcha: false }
}

/** The rules against raids of a guild that are on. */
export async function raidRules(db: Db, guildId: GuildId): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`
    select ${columns} from guild_rule where guild_id = ${guildId} and kind = 'raid' and is_on
    order by guild_rule.id`.execute(db)
  return rows
}

/**
 * Changes what keeps people from joining, where something does (`isPaused`) or nothing does; else it is
 * false.
 */
export async function setPause(
  tx: Tx,
  guildId: GuildId,
  { now, isPaused, to }: { readonly now: Millis; readonly isPaused: boolean; readonly to: Pause },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update guild set paused_until = ${int8(to.paused_until)}::bigint, pause_is_slow = ${to.pause_is_slow},
      pause_asks_captcha = ${to.pause_asks_captcha}
    where id = ${guildId} and (coalesce(paused_until, 0) > ${int8(now)}::bigint) = ${isPaused}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}
