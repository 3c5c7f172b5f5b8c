/** The rules of a guild: made, changed and deleted by those who manage it. Decision 118. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { type AuditTarget, differing, writeAudit } from '../audit/audit.ts'
import { findChannel } from '../channel/channel.ts'
import { emitGuild, lockGuild } from '../guild/guild.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { clean } from '../kit/http/input.ts'
import { requireGuildRight, rolesOf } from '../role/role.ts'
import { isWord } from '../screening/screening.ts'
import * as rows from './sql.ts'

/** A rule as it is asked for. */
interface Given extends rows.LooksFor {
  readonly kind: wire.RuleKind
}
type GivenRule = Given &
  Pick<rows.RuleFields, 'name' | 'is_on' | 'acts'> & { readonly exempt_roles?: readonly number[] | undefined }

/** @throws Failure forbidden, member.no_right */
export async function listRules(
  db: Db,
  userId: UserId,
  guildId: GuildId,
): Promise<AnswerOf<typeof wire.listRules>> {
  await requireGuildRight(db, userId, guildId, permission.manage_guild)
  const caught = await rows.caughtOf(db, guildId, rows.today())
  const pausedUntil = await pauseNow(db, guildId)
  const items = (await rows.ofGuild(db, guildId)).map((row) =>
    shown(row, caught.get(row.id) ?? 0, pausedUntil),
  )
  const total = items.length
  return { items, meta: { page: 1, page_total: 1, page_size: wire.RULES_MAX, total }, sort: {} }
}

/** Until when joining is limited, ms; 0: it is not. */
async function pauseNow(db: Db, guildId: GuildId): Promise<number> {
  const { paused_until } = await rows.pauseOf(db, guildId)
  return paused_until > clock.now() ? paused_until : 0
}

const shown = (
  { id, guild_id, name, kind, looks_for, acts, exempt_roles, is_on, ...it }: rows.RuleRow,
  caught: number,
  pausedUntil = 0,
): wire.GuildRule => ({
  id,
  guild_id,
  name,
  kind,
  ...(looks_for as Pick<wire.GuildRule, 'words' | 'patterns' | 'count' | 'repeats' | 'seconds'>),
  acts: [...acts],
  exempt_roles: [...exempt_roles],
  switch: is_on,
  caught,
  paused_until: kind === 'raid' ? pausedUntil : 0,
  ...it,
})

/**
 * Makes a rule. Emits to the guild that it changed: who may send is looked up again.
 * @throws Failure forbidden, member.no_right, bad_input (detail.fields), moderation.full,
 *   moderation.words_full, moderation.word_wrong, channel.unknown, role.unknown
 */
export const createRule = (
  appContext: AppContext,
  userId: UserId,
  input: InputOf<typeof wire.createRule>,
): Promise<wire.GuildRule> =>
  changing(appContext, userId, input.guild_id, async (tx, all) => {
    if (all.length >= wire.RULES_MAX) throw fail('moderation.full', { most: wire.RULES_MAX })
    const fields = await fieldsOf(tx, input.guild_id, { ...input, is_on: input.switch }, all)
    const made = { ...fields, guild_id: input.guild_id, kind: input.kind, user_id: userId }
    const row = await rows.add(tx, made, clock.now())
    await audit(tx, userId, 'rule_created', row)
    return shown(row, 0)
  })

/**
 * Changes what is given.
 * @throws Failure forbidden, member.no_right, bad_input (detail.fields), moderation.unknown,
 *   moderation.words_full, moderation.word_wrong, channel.unknown, role.unknown
 */
export const updateRule = (
  appContext: AppContext,
  userId: UserId,
  { guild_id: guildId, id, ...wanted }: InputOf<typeof wire.updateRule>,
): Promise<wire.GuildRule> =>
  changing(appContext, userId, guildId, async (tx, all) => {
    const before = ruleIn(all, id)
    const looks = before.looks_for
    const whole = {
      kind: before.kind,
      name: wanted.name ?? before.name,
      words: wanted.words ?? looks.words,
      patterns: wanted.patterns ?? looks.patterns,
      count: wanted.count ?? looks.count,
      repeats: wanted.repeats ?? looks.repeats,
      seconds: wanted.seconds ?? looks.seconds,
      acts: wanted.acts ?? before.acts,
      exempt_roles: wanted.exempt_roles ?? before.exempt_roles,
      is_on: wanted.switch ?? before.is_on,
    }
    const others = all.filter((it) => it !== before)
    const fields = await fieldsOf(tx, guildId, whole, others)
    await rows.change(tx, before.id, fields, clock.now())
    const after = { ...before, ...fields, updated_at: clock.now() }
    const changed = differing(said(before), said(after))
    if (changed) await audit(tx, userId, 'rule_updated', after, changed)
    const caught = await rows.caughtOf(tx, guildId, rows.today())
    return shown(after, caught.get(before.id) ?? 0, await pauseNow(tx, guildId))
  })

/** @throws Failure forbidden, member.no_right, moderation.unknown */
export const deleteRule = (
  appContext: AppContext,
  userId: UserId,
  { guild_id: guildId, id }: InputOf<typeof wire.deleteRule>,
): Promise<void> =>
  changing(appContext, userId, guildId, async (tx, all) => {
    const rule = ruleIn(all, id)
    await rows.remove(tx, rule.id)
    await audit(tx, userId, 'rule_deleted', rule)
  })

/** Changes the rules of a guild, one after the other, and has every node follow. */
const changing = <T>(
  appContext: AppContext,
  userId: UserId,
  guildId: GuildId,
  work: (tx: Tx, all: readonly rows.RuleRow[], emit: Emit) => Promise<T>,
): Promise<T> =>
  commit(appContext, async (tx, emit) => {
    await lockGuild(tx, guildId)
    await requireGuildRight(tx, userId, guildId, permission.manage_guild)
    const result = await work(tx, await rows.ofGuild(tx, guildId), emit)
    await rows.raiseVersion(tx, guildId)
    await emitGuild(tx, emit, guildId)
    return result
  })

/** @throws Failure moderation.unknown */
function ruleIn(all: readonly rows.RuleRow[], id: number): rows.RuleRow {
  const found = all.find((it) => it.id === String(id))
  if (!found) throw fail('moderation.unknown')
  return found
}

const audit = (
  tx: Tx,
  by: UserId,
  type: 'rule_created' | 'rule_updated' | 'rule_deleted',
  rule: rows.RuleRow,
  more: Parameters<typeof differing>[0] = {},
): Promise<void> => writeAudit(tx, { guildId: rule.guild_id, by, type, target: targetOf(rule), ...more })

const targetOf = ({ id, name }: rows.RuleRow): AuditTarget => ({ kind: 'rule', id, name })

/** A rule as the log compares it: lists as their words. */
const said = ({ name, looks_for, acts, exempt_roles, is_on }: rows.RuleRow) => ({
  name,
  is_on,
  words: [...(looks_for.words ?? []), ...(looks_for.patterns ?? [])].join('、'),
  count: looks_for.count ?? 0,
  repeats: looks_for.repeats ?? 0,
  seconds: looks_for.seconds ?? 0,
  acts: acts.map(({ type, duration }) => (duration ? `${type} ${duration}` : type)).join('、'),
  exempt_roles: exempt_roles.join('、'),
})

/** A rule as it is stored. @throws Failure as `createRule` does */
async function fieldsOf(
  tx: Tx,
  guildId: GuildId,
  given: GivenRule,
  others: readonly rows.RuleRow[],
): Promise<rows.RuleFields> {
  const looks_for = looksForOf(given)
  requireRoom([looks_for, ...others.map((it) => it.looks_for)])
  const exempt_roles = await exemptOf(tx, guildId, given.exempt_roles)
  return {
    name: given.name,
    is_on: given.is_on,
    looks_for,
    exempt_roles,
    acts: await actsOf(tx, guildId, given),
  }
}

/** @throws Failure moderation.words_full */
function requireRoom(all: readonly rows.LooksFor[]): void {
  const amount = (field: 'words' | 'patterns') => all.reduce((sum, it) => sum + (it[field]?.length ?? 0), 0)
  const [words, patterns] = [wire.GUILD_WORDS_MAX, wire.GUILD_PATTERNS_MAX]
  if (amount('words') > words || amount('patterns') > patterns)
    throw fail('moderation.words_full', { words, patterns })
}

/** @throws Failure role.unknown */
export async function exemptOf(db: Db, guildId: GuildId, ids: readonly number[] = []): Promise<number[]> {
  const known = new Set((await rolesOf(db, guildId)).map(({ role_id }) => role_id))
  if (ids.some((id) => !known.has(id))) throw fail('role.unknown')
  return [...new Set(ids)]
}

/** The acts that rules against raids have, and those of the others. */
const OF_RAIDS: ReadonlySet<string> = new Set([...wire.RAID_LIMITS, 'notify'])
const OF_MESSAGES: ReadonlySet<string> = new Set(['hold', 'delete', 'mute', 'notify'])

/** Each act once, with its own fields. @throws Failure bad_input, channel.unknown */
async function actsOf(tx: Tx, guildId: GuildId, { kind, acts: given }: GivenRule): Promise<wire.RuleAct[]> {
  const acts = new Map<string, wire.RuleAct>()
  for (const { type, duration, channel_id } of given) {
    if (!(kind === 'raid' ? OF_RAIDS : OF_MESSAGES).has(type)) throw missing('acts')
    const most = kind === 'raid' ? wire.PAUSE_SECONDS_MAX : Number.POSITIVE_INFINITY
    const lasts = type !== 'notify' && (kind === 'raid' || type === 'mute')
    if (lasts && (duration === undefined || duration > most)) throw missing('duration')
    if (type === 'notify') {
      const channel = channel_id === undefined ? null : await findChannel(tx, channel_id)
      if (channel?.guild_id !== guildId || channel.type !== channelType.text) throw fail('channel.unknown')
    }
    acts.set(type, { type, ...(lasts && { duration }), ...(type === 'notify' && { channel_id }) })
  }
  return [...acts.values()]
}

const missing = (...fields: string[]) => fail('bad_input', { fields })

/**
 * What a rule of a kind looks for, without fields of other kinds.
 * @throws Failure bad_input (detail.fields), moderation.word_wrong (detail.word)
 */
export function looksForOf({
  kind,
  words = [],
  patterns = [],
  count,
  repeats,
  seconds,
}: Given): rows.LooksFor {
  switch (kind) {
    case 'word': {
      const looks = { words: words.map(requireWord), patterns: patterns.map(requireWord) }
      if (looks.words.length + looks.patterns.length === 0) throw missing('words')
      return looks
    }
    case 'link':
      return { words: words.map(hostOf) }
    case 'invite':
      return {}
    case 'flood':
      if (seconds === undefined || seconds > wire.FLOOD_SECONDS_MAX) throw missing('seconds')
      if (!count && !repeats) throw missing('count')
      return { count: count || undefined, repeats: repeats || undefined, seconds }
    case 'mention':
      if (!count) throw missing('count')
      return { count }
    case 'raid':
      if (!count) throw missing('count')
      if (!seconds || seconds > wire.FLOOD_SECONDS_MAX) throw missing('seconds')
      return { count, seconds }
    case 'newcomer':
      if (seconds === undefined) throw missing('seconds')
      return { seconds }
  }
}

/** @throws Failure moderation.word_wrong */
function requireWord(typed: string): string {
  const word = clean(typed).normalize('NFC').trim()
  if (!isWord(word.replaceAll(/[*?]/g, ' '))) throw fail('moderation.word_wrong', { word })
  return word
}

const HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/

/** A host as people type it: with or without the rest of an address. @throws Failure moderation.word_wrong */
function hostOf(typed: string): string {
  const host = clean(typed)
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[/?#:].*$/s, '')
  if (!HOST.test(host)) throw fail('moderation.word_wrong', { word: typed })
  return host
}
