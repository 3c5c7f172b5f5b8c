/** Word rules, and messages that wait for staff. */
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { HELD_STATES, type HeldState } from '@guildhall/wire/screening/screening.ts'
import type { HeldWhy } from '@guildhall/wire/staff/held.ts'
import type { WordAction, WordTarget } from '@guildhall/wire/staff/words.ts'
import type { Millis } from '@guildhall/wire/unit.ts'
import { type RawBuilder, sql } from 'kysely'
import { int8 } from '../kit/database/columns.ts'
import type { Db, Tx } from '../kit/database/db.ts'

export interface RuleRow {
  readonly id: string
  readonly word: string
  readonly action: WordAction
  readonly places: readonly WordTarget[]
  readonly note: string
  /** An id, or `operator`. */
  readonly changed_by: string
  readonly updated_at: Millis
}

const ruleColumns = sql`id::text, word, action, places, note, changed_by, updated_at::float8 as updated_at`

/** Raised with every change of the rules. */
export async function listVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version::text as version from word_list`.execute(db)
  return rows[0]?.version ?? '0'
}

/** Nobody else changes the rules until the transaction ends. */
export const raiseVersion = (tx: Tx) => sql`update word_list set version = version + 1`.execute(tx)

/** What is looked for: every rule. They are at most `WORDS_MAX`. */
export async function allRules(
  db: Db,
): Promise<readonly Pick<RuleRow, 'id' | 'word' | 'action' | 'places'>[]> {
  const { rows } = await sql<RuleRow>`
    select id::text, word, action, places from word_rule order by word_rule.id`.execute(db)
  return rows
}

/** The newest rules before an id; with `word` those that begin with it. */
export async function someRules(
  db: Db,
  input: {
    readonly before: number | undefined
    readonly word: string | undefined
    readonly action: WordAction | undefined
    readonly limit: number
  },
): Promise<RuleRow[]> {
  const like = `${(input.word ?? '').replaceAll(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<RuleRow>`
    select ${ruleColumns} from word_rule
    where ${input.before === undefined ? sql`true` : sql`word_rule.id < ${int8(input.before)}::bigint`}
      and ${input.word === undefined ? sql`true` : sql`word like ${like}`}
      and ${input.action === undefined ? sql`true` : sql`action = ${input.action}`}
    order by word_rule.id desc limit ${input.limit}`.execute(db)
  return rows
}

export async function ruleById(tx: Tx, id: string): Promise<RuleRow | null> {
  const { rows } = await sql<RuleRow>`
    select ${ruleColumns} from word_rule where id = ${id}::bigint`.execute(tx)
  return rows[0] ?? null
}

export async function ruleOfWord(tx: Tx, word: string): Promise<RuleRow | null> {
  const { rows } = await sql<RuleRow>`select ${ruleColumns} from word_rule where word = ${word}`.execute(tx)
  return rows[0] ?? null
}

export async function countRules(tx: Tx): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int4 as n from word_rule`.execute(tx)
  return rows[0]?.n ?? 0
}

export type NewRule = Pick<RuleRow, 'word' | 'action' | 'places' | 'note'>

/** The ids of the rules that were added; words that have a rule are left out. */
export async function addRules(
  tx: Tx,
  all: readonly NewRule[],
  input: { readonly by: string; readonly now: Millis },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into word_rule (word, action, places, note, changed_by, created_at, updated_at)
    select row->>'word', row->>'action', array(select jsonb_array_elements_text(row->'places')), row->>'note',
      ${input.by}, ${int8(input.now)}::bigint, ${int8(input.now)}::bigint
    from jsonb_array_elements(${JSON.stringify(all)}::jsonb) as row
    on conflict (word) do nothing returning id::text`.execute(tx)
  return rows.map(({ id }) => id)
}

export async function changeRule(
  tx: Tx,
  id: string,
  to: Omit<NewRule, 'word'>,
  input: { readonly by: string; readonly now: Millis },
): Promise<void> {
  await sql`
    update word_rule set action = ${to.action}, places = ${[...to.places]}::text[], note = ${to.note},
      changed_by = ${input.by}, updated_at = ${int8(input.now)}::bigint
    where id = ${id}::bigint`.execute(tx)
}

export async function removeRule(tx: Tx, id: string): Promise<void> {
  await sql`delete from word_rule where id = ${id}::bigint`.execute(tx)
}

/** `status` of a held message, in the order of `HELD_STATES`. */
export const heldStatus = { waits: 0, passed: 1, rejected: 2 } as const

export interface HeldRow {
  readonly id: string
  readonly author_id: UserId
  readonly guild_id: GuildId | null
  readonly channel_id: ChannelId | null
  readonly target_id: UserId | null
  readonly conversation: string
  readonly nonce: string
  readonly input: unknown
  readonly why: readonly HeldWhy[]
  readonly status: number
  readonly reason: string
  readonly message_id: MessageId | null
  readonly created_at: Millis
  /** Null: it waits. */
  readonly decided_at: Millis | null
  /** An id, or `operator`; null: it waits. */
  readonly decided_by: string | null
  /** It waits for the moderators of its guild, and not for staff. */
  readonly is_guilds: boolean
  /** The rule by which it is held; null: staff decide, or the rule is gone. */
  readonly rule_id: string | null
}

const heldColumns = sql`id::text, author_id::text, guild_id::text, channel_id::text, target_id::text, conversation, nonce,
  input, why, status, reason, message_id, created_at::float8 as created_at, decided_at::float8 as decided_at, decided_by,
  is_guilds, rule_id::text`

const selectHeld = (where: RawBuilder<unknown>) =>
  sql<HeldRow>`select ${heldColumns} from held_content ${where}`

/** Where a nonce was held before; null: nowhere. */
export async function heldUnder(
  db: Db,
  authorId: UserId,
  conversation: string,
  nonce: string,
): Promise<Pick<HeldRow, 'status' | 'reason'> | null> {
  const { rows } = await sql<Pick<HeldRow, 'status' | 'reason'>>`
    select status, reason from held_content
    where author_id = ${authorId} and nonce = ${nonce} and conversation = ${conversation}`.execute(db)
  return rows[0] ?? null
}

/** How many messages of an author wait. */
export async function countWaiting(db: Db, authorId: UserId): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int4 as n from held_content where author_id = ${authorId} and status = ${heldStatus.waits}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Nothing happens when the nonce is held already. */
export async function addHeld(
  tx: Tx,
  input: Omit<HeldRow, 'id' | 'status' | 'reason' | 'message_id' | 'decided_at' | 'decided_by' | 'is_guilds'>,
): Promise<void> {
  await tx
    .insertInto('held_content')
    .values({
      author_id: input.author_id,
      guild_id: input.guild_id,
      channel_id: input.channel_id,
      target_id: input.target_id,
      conversation: input.conversation,
      nonce: input.nonce,
      input: JSON.stringify(input.input),
      why: JSON.stringify(input.why),
      created_at: input.created_at,
      rule_id: input.rule_id,
      is_guilds: input.rule_id !== null,
    })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** The oldest that wait, those after an id. */
export async function waiting(db: Db, limit: number, after = 0): Promise<HeldRow[]> {
  const { rows } = await selectHeld(
    sql`where status = ${sql.lit(heldStatus.waits)} and not is_guilds and held_content.id > ${int8(after)}::bigint
      order by held_content.id limit ${limit}`,
  ).execute(db)
  return rows
}

/** The oldest that wait for the moderators of some channels of a guild. */
export async function waitingOfGuild(
  db: Db,
  guildId: GuildId,
  channelIds: readonly ChannelId[],
  limit: number,
): Promise<HeldRow[]> {
  const { rows } = await selectHeld(
    sql`where status = ${sql.lit(heldStatus.waits)} and is_guilds and guild_id = ${guildId}
        and channel_id = any(${[...channelIds]}::bigint[])
      order by held_content.id limit ${limit}`,
  ).execute(db)
  return rows
}

/** Those that staff decided on, the newest first, those before an id. They are deleted after a month. */
export async function decided(db: Db, limit: number, before = Number.MAX_SAFE_INTEGER): Promise<HeldRow[]> {
  const { rows } = await selectHeld(
    sql`where status <> ${sql.lit(heldStatus.waits)} and not is_guilds and held_content.id < ${int8(before)}::bigint
      order by held_content.id desc limit ${limit}`,
  ).execute(db)
  return rows
}

export async function heldById(db: Db, id: string): Promise<HeldRow | null> {
  const { rows } = await selectHeld(sql`where id = ${id}::bigint`).execute(db)
  return rows[0] ?? null
}

/** Locks one until the transaction ends. */
export async function lockHeld(tx: Tx, id: string): Promise<HeldRow | null> {
  const { rows } = await selectHeld(sql`where id = ${id}::bigint for update`).execute(tx)
  return rows[0] ?? null
}

export async function decideHeld(
  tx: Tx,
  id: string,
  input: {
    readonly status: number
    readonly reason: string
    readonly messageId: MessageId | null
    readonly by: string
    readonly now: Millis
  },
): Promise<void> {
  await sql`
    update held_content set status = ${input.status}, reason = ${input.reason}, message_id = ${input.messageId},
      decided_by = ${input.by}, decided_at = ${int8(input.now)}::bigint
    where id = ${id}::bigint`.execute(tx)
}

/** How own held messages of these nonces stand. */
export async function statesOf(db: Db, authorId: UserId, nonces: readonly string[]): Promise<HeldState[]> {
  const { rows } = await sql<HeldRow>`
    select ${heldColumns} from held_content
    where author_id = ${authorId} and nonce = any(${[...nonces]}::text[])
    order by held_content.id limit ${nonces.length * 2}`.execute(db)
  return rows.map(stateOf)
}

export const stateOf = (
  row: Pick<HeldRow, 'conversation' | 'nonce' | 'status' | 'reason' | 'message_id'>,
): HeldState => ({
  conversation: row.conversation,
  nonce: row.nonce,
  reason: row.reason,
  msg_id: row.message_id,
  state: HELD_STATES[row.status] ?? 'held',
})

/** Where a held message belongs. */
export type HeldLocation = Pick<HeldRow, 'is_guilds' | 'guild_id' | 'channel_id'>

/** Deletes own held messages of a nonce that were not sent, and returns them. */
export async function withdraw(tx: Tx, authorId: UserId, nonce: string): Promise<HeldLocation[]> {
  const { rows } = await sql<HeldLocation>`
    delete from held_content
    where author_id = ${authorId} and nonce = ${nonce} and status <> ${heldStatus.passed}
    returning is_guilds, guild_id::text, channel_id::text`.execute(tx)
  return rows
}

/** Held messages of a person that are known, those after an id, in order. */
export async function ofAuthor(db: Db, authorId: UserId, after: number, limit: number): Promise<HeldRow[]> {
  const { rows } = await selectHeld(
    sql`where author_id = ${authorId} and held_content.id > ${int8(after)}::bigint
      order by held_content.id limit ${limit}`,
  ).execute(db)
  return rows
}

/** Deletes those of a person, and those that wait to be sent to them, and returns them. */
export async function forget(tx: Tx, userId: UserId): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    delete from held_content where author_id = ${userId} or target_id = ${userId}
    returning ${heldColumns}`.execute(tx)
  return rows
}

/** Deletes at most `limit` that were decided before a time, ms. Returns how many. */
export async function trim(db: Db, before: Millis, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from held_content where id in (
      select id from held_content where status <> ${sql.lit(heldStatus.waits)} and decided_at < ${int8(before)}::bigint
      order by decided_at limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Since when the oldest waits, ms; null: none waits. */
export async function oldest(db: Db): Promise<Millis | null> {
  const { rows } = await sql<{ at: Millis }>`
    select created_at::float8 as at from held_content
    where status = ${sql.lit(heldStatus.waits)} and not is_guilds
    order by held_content.id limit 1`.execute(db)
  return rows[0]?.at ?? null
}
