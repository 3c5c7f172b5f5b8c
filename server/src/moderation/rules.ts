/** The rules of a guild: made, changed and deleted by those who manage it. Decision 118. */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { codeIn } from '@guildhall/wire/invite/inviteLink.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import type { AnswerOf, InputOf } from '@guildhall/wire/route.ts'
import { type AuditTarget, differing, writeAudit } from '../audit/audit.ts'
import { channelsAmong, findChannel } from '../channel/channel.ts'
import { emitGuild, lockGuild } from '../guild/guild.ts'
import { guildOfInvite } from '../invite/invite.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { clean } from '../kit/http/input.ts'
import { requireAllowed } from '../kit/screening.ts'
import { requireGuildRight, rolesOf } from '../role/role.ts'
import { isWord } from '../screening/screening.ts'
import * as rows from './sql.ts'

/** What a rule is asked to look for. `guilds`: also invites to them. */
interface Given extends rows.LooksFor {
  readonly kind: wire.RuleKind
}
interface Exempt {
  readonly exempt_roles?: readonly number[] | undefined
  readonly exempt_channels?: readonly ChannelId[] | undefined
}
/** A rule as it is asked for. */
interface GivenRule extends Given, Exempt, Pick<rows.RuleFields, 'name' | 'is_on' | 'acts'> {
  readonly message?: string | undefined
}
/** A change of a rule as it is asked for. */
export type WantedRule = Omit<InputOf<typeof wire.updateRule>, 'guild_id' | 'id'>
type RuleContext = Pick<AppContext, 'db' | 'bus' | 'announces' | 'screening' | 'verifiesNames'>

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
  { id, guild_id, name, kind, looks_for, acts, exempt_roles, exempt_channels, is_on, ...it }: rows.RuleRow,
  caught: number,
  pausedUntil = 0,
): wire.GuildRule => ({
  id,
  guild_id,
  name,
  kind,
  ...(looks_for as Pick<wire.GuildRule, keyof typeof looks_for>),
  action: looks_for.action ?? wire.restrictedAction.messages,
  conditions: [...(looks_for.conditions ?? [])],
  limit_time: looks_for.limit_time ?? 0,
  acts: [...acts],
  exempt_roles: [...exempt_roles],
  exempt_channels: [...exempt_channels],
  switch: is_on,
  caught,
  paused_until: kind === 'raid' ? pausedUntil : 0,
  ...it,
})

/** What a restriction does of which nothing else is said. */
const REFUSED: readonly wire.RuleAct[] = [{ type: 'delete' }]

/**
 * Makes a rule. Emits to the guild that it changed: who may send is looked up again.
 * @throws Failure forbidden, member.no_right, bad_input (detail.fields), moderation.full,
 *   moderation.words_full, moderation.word_wrong, moderation.guild_wrong, realname.off, channel.unknown,
 *   role.unknown, content.refused
 */
export async function createRule(
  appContext: RuleContext,
  userId: UserId,
  input: InputOf<typeof wire.createRule>,
): Promise<wire.GuildRule> {
  await requireSayable(appContext, userId, input.guild_id, [input.name, input.message])
  return makeRule(appContext, userId, input.guild_id, () => input)
}

/**
 * Those who are stopped read the name of a rule and its words, and channels are told its name.
 * @throws Failure forbidden, member.no_right, content.refused
 */
export async function requireSayable(
  appContext: RuleContext,
  userId: UserId,
  guildId: GuildId,
  texts: readonly (string | null | undefined)[],
): Promise<void> {
  const said = texts.filter((it) => it != null && it !== '') as string[]
  if (said.length === 0) return
  await requireGuildRight(appContext.db, userId, guildId, permission.manage_guild)
  await requireAllowed(appContext, { target: 'guild', userId, texts: ['', ...said] })
}

/**
 * Makes the rule that `wanted` says, once the right is checked.
 * @throws Failure as `createRule`, and as `wanted`
 */
export const makeRule = (
  appContext: RuleContext,
  userId: UserId,
  guildId: GuildId,
  wanted: () => InputOf<typeof wire.createRule>,
): Promise<wire.GuildRule> =>
  changing(appContext, userId, guildId, async (tx, all) => {
    const input = wanted()
    if (all.length >= wire.RULES_MAX) throw fail('moderation.full', { most: wire.RULES_MAX })
    const kind = input.kind ?? (input.conditions ? 'restriction' : null)
    if (kind === null) throw missing('kind')
    const acts = input.acts ?? (kind === 'restriction' ? REFUSED : [])
    if (acts.length === 0) throw missing('acts')
    const given = { ...input, kind, acts, is_on: input.switch }
    const fields = await fieldsOf(tx, appContext, given, all, null)
    const made = { ...fields, guild_id: guildId, kind, user_id: userId }
    const row = await rows.add(tx, made, clock.now())
    await audit(tx, userId, 'rule_created', row)
    return shown(row, 0)
  })

/**
 * Changes what is given.
 * @throws Failure forbidden, member.no_right, bad_input (detail.fields), moderation.unknown,
 *   moderation.words_full, moderation.word_wrong, moderation.guild_wrong, realname.off, channel.unknown,
 *   role.unknown, content.refused
 */
export async function updateRule(
  appContext: RuleContext,
  userId: UserId,
  { guild_id, id, ...wanted }: InputOf<typeof wire.updateRule>,
): Promise<wire.GuildRule> {
  await requireSayable(appContext, userId, guild_id, [wanted.name, wanted.message])
  return changeRule(appContext, userId, { guild_id, id }, () => wanted)
}

/** Changes what `wantedOf` wants of the rule as it is. @throws Failure as `updateRule`, and as `wantedOf` */
export const changeRule = (
  appContext: RuleContext,
  userId: UserId,
  { guild_id: guildId, id }: InputOf<typeof wire.deleteRule>,
  wantedOf: (before: rows.RuleRow) => WantedRule,
): Promise<wire.GuildRule> =>
  changing(appContext, userId, guildId, async (tx, all) => {
    const before = ruleIn(all, id)
    const { kind } = before
    const { switch: isOn, ...wanted } = wantedOf(before)
    if (wanted.conditions?.length && kind !== 'restriction') throw missing('conditions')
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
    const whole = { ...before.looks_for, ...before, ...given, kind, is_on: isOn ?? before.is_on }
    const others = all.filter((it) => it !== before)
    const fields = await fieldsOf(tx, appContext, whole, others, before)
    await rows.change(tx, before.id, fields, clock.now())
    const after = { ...before, ...fields, updated_at: clock.now() }
    const say = await sayer(tx, guildId, [before, after])
    const changed = differing(say(before), say(after))
    if (changed) await audit(tx, userId, 'rule_updated', after, changed)
    const caught = await rows.caughtOf(tx, guildId, rows.today())
    return shown(after, caught.get(before.id) ?? 0, await pauseNow(tx, guildId))
  })

/**
 * Deletes a rule, of one of some kinds if they are given.
 * @throws Failure forbidden, member.no_right, moderation.unknown
 */
export const deleteRule = (
  appContext: RuleContext,
  userId: UserId,
  { guild_id: guildId, id }: InputOf<typeof wire.deleteRule>,
  kinds: readonly wire.RuleKind[] = wire.RULE_KINDS,
): Promise<void> =>
  changing(appContext, userId, guildId, async (tx, all) => {
    const rule = ruleIn(all, id)
    if (!kinds.includes(rule.kind)) throw fail('moderation.unknown')
    await rows.remove(tx, rule.id)
    await audit(tx, userId, 'rule_deleted', rule)
  })

/** Changes the rules of a guild, one after the other, and has every node follow. */
const changing = <T>(
  appContext: RuleContext,
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

const ACTIONS = ['messages', 'both'] as const

/** Rules as the log compares them: lists as their words, roles and channels by their names. */
async function sayer(tx: Tx, guildId: GuildId, rules: readonly rows.RuleRow[]) {
  const roles = new Map((await rolesOf(tx, guildId)).map(({ role_id, name }) => [role_id, name]))
  const named = await channelsAmong(
    tx,
    guildId,
    rules.flatMap(({ exempt_channels }) => exempt_channels),
  )
  const channels = new Map(named.map(({ id, name }) => [id, name]))
  const timed = (type: string, duration?: number | null) => (duration ? `${type} ${duration}` : type)
  return ({ name, looks_for, acts, exempt_roles, exempt_channels, message, is_on }: rows.RuleRow) => ({
    name,
    is_on,
    words: [...(looks_for.words ?? []), ...(looks_for.patterns ?? [])].join('、'),
    count: looks_for.count ?? 0,
    repeats: looks_for.repeats ?? 0,
    seconds: looks_for.seconds ?? 0,
    guilds: (looks_for.guilds ?? []).join('、'),
    guilds_are: looks_for.guilds_are ?? '',
    action: ACTIONS.find((it) => wire.restrictedAction[it] === looks_for.action) ?? '',
    conditions: (looks_for.conditions ?? []).map((it) => timed(it.type, it.duration)).join('、'),
    limit_time: looks_for.limit_time ?? 0,
    acts: acts.map((it) => timed(it.type, it.duration)).join('、'),
    exempt_roles: exempt_roles.map((id) => roles.get(id) ?? String(id)).join('、'),
    exempt_channels: exempt_channels.map((id) => channels.get(id) ?? id).join('、'),
    message,
  })
}

/**
 * A rule as it is stored. `before`: what it was; null: it is new.
 * @throws Failure as `createRule` does
 */
async function fieldsOf(
  tx: Tx,
  appContext: RuleContext,
  given: GivenRule & { readonly guild_id: GuildId },
  others: readonly rows.RuleRow[],
  before: rows.RuleRow | null,
): Promise<rows.RuleFields> {
  const { guild_id: guildId, name, is_on, message = '' } = given
  // Names could be verified when it was made.
  const hadNames = before?.looks_for.conditions?.some(({ type }) => type === 'real_auth')
  const verifiesNames = hadNames || appContext.verifiesNames === true
  const looks_for = looksForOf(await resolved(tx, given), { verifiesNames })
  requireRoom([looks_for, ...others.map((it) => it.looks_for)])
  const exempt = await exemptOf(tx, guildId, given, before)
  return { name, is_on, looks_for, message, ...exempt, acts: await actsOf(tx, given, before?.acts ?? []) }
}

/** @throws Failure moderation.words_full */
function requireRoom(all: readonly rows.LooksFor[]): void {
  const amount = (field: 'words' | 'patterns') => all.reduce((sum, it) => sum + (it[field]?.length ?? 0), 0)
  const [words, patterns] = [wire.GUILD_WORDS_MAX, wire.GUILD_PATTERNS_MAX]
  if (amount('words') > words || amount('patterns') > patterns)
    throw fail('moderation.words_full', { words, patterns })
}

/**
 * Whom a rule leaves alone. Whom it left alone `before` and who is gone since stays: they may be restored.
 * @throws Failure role.unknown, channel.unknown
 */
export async function exemptOf(
  db: Db,
  guildId: GuildId,
  { exempt_roles = [], exempt_channels = [] }: Exempt,
  before: rows.RuleRow | null,
): Promise<{ readonly exempt_roles: readonly number[]; readonly exempt_channels: readonly ChannelId[] }> {
  const roles = new Set((await rolesOf(db, guildId)).map(({ role_id }) => role_id))
  for (const id of before?.exempt_roles ?? []) roles.add(id)
  if (exempt_roles.some((id) => !roles.has(id))) throw fail('role.unknown')
  const found = (await channelsAmong(db, guildId, exempt_channels)).filter(
    ({ type }) => type !== channelType.voice,
  )
  const channels = new Set([...found.map(({ id }) => id), ...(before?.exempt_channels ?? [])])
  if (exempt_channels.some((id) => !channels.has(id))) throw fail('channel.unknown')
  return { exempt_roles: [...new Set(exempt_roles)], exempt_channels: [...new Set(exempt_channels)] }
}

/** The acts that rules against raids have, and those of the others. */
const OF_RAIDS: ReadonlySet<string> = new Set([...wire.RAID_LIMITS, 'notify'])
const OF_MESSAGES: ReadonlySet<string> = new Set(['hold', 'delete', 'mute', 'notify'])

/**
 * Each act once, with its own fields. The channel of an act of `before` may be gone.
 * @throws Failure bad_input, channel.unknown
 */
async function actsOf(
  tx: Tx,
  { guild_id: guildId, kind, acts: given }: GivenRule & { readonly guild_id: GuildId },
  before: readonly wire.RuleAct[],
): Promise<wire.RuleAct[]> {
  const acts = new Map<string, wire.RuleAct>()
  for (const { type, duration, channel_id } of given) {
    if (!(kind === 'raid' ? OF_RAIDS : OF_MESSAGES).has(type)) throw missing('acts')
    const most = kind === 'raid' ? wire.PAUSE_SECONDS_MAX : Number.POSITIVE_INFINITY
    const lasts = type !== 'notify' && (kind === 'raid' || type === 'mute')
    if (lasts && (duration === undefined || duration > most)) throw missing('duration')
    if (type === 'notify' && !before.some((it) => it.channel_id === channel_id)) {
      const channel = channel_id === undefined ? null : await findChannel(tx, channel_id)
      if (channel?.guild_id !== guildId || channel.type !== channelType.text) throw fail('channel.unknown')
    }
    acts.set(type, { type, ...(lasts && { duration }), ...(type === 'notify' && { channel_id }) })
  }
  return [...acts.values()]
}

const missing = (...fields: string[]) => fail('bad_input', { fields })

/** With the ids of guilds for invites to them. @throws Failure moderation.guild_wrong (detail.word) */
export async function resolved<G extends Given>(db: Db, given: G): Promise<G> {
  const guilds: string[] = []
  for (const word of (given.guilds ?? []).map((it) => clean(it).trim())) {
    const code = DECIMAL.test(word) ? null : codeIn(word)
    const id = DECIMAL.test(word) ? word : code && (await guildOfInvite(db, code))
    if (!id) throw fail('moderation.guild_wrong', { word })
    guilds.push(id)
  }
  return { ...given, guilds: [...new Set(guilds)] }
}

/**
 * What a rule of a kind looks for, without fields of other kinds.
 * @throws Failure bad_input (detail.fields), moderation.word_wrong (detail.word), realname.off
 */
export function looksForOf(given: Given, context: Pick<AppContext, 'verifiesNames'>): rows.LooksFor {
  const { kind, words = [], patterns = [], count, repeats, seconds } = given
  switch (kind) {
    case 'word': {
      const looks = { words: words.map(requireWord), patterns: patterns.map(requireWord) }
      if (looks.words.length + looks.patterns.length === 0) throw missing('words')
      return looks
    }
    case 'link':
      return { words: words.map(hostOf) }
    case 'invite': {
      const { guilds = [], guilds_are = 'allowed' } = given
      if (guilds_are === 'refused' && guilds.length === 0) throw missing('guilds')
      return { guilds, guilds_are }
    }
    case 'restriction':
      return restrictionOf(given, context)
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

/** Each condition once, with its own fields. @throws Failure bad_input (detail.fields), realname.off */
function restrictionOf(
  { action = wire.restrictedAction.messages, conditions = [], limit_time = 0 }: Given,
  { verifiesNames }: Pick<AppContext, 'verifiesNames'>,
): rows.LooksFor {
  if (action === wire.restrictedAction.voice) throw missing('action')
  if (conditions.length === 0) throw missing('conditions')
  const each = new Map<string, wire.Condition>()
  for (const { type, duration } of conditions) {
    if (type === 'reg' && !duration) throw missing('duration')
    if (type === 'real_auth' && !verifiesNames) throw fail('realname.off')
    each.set(type, { type, ...(type === 'reg' && { duration }) })
  }
  return { action, conditions: [...each.values()], limit_time }
}

/** @throws Failure moderation.word_wrong */
function requireWord(typed: string): string {
  const word = clean(typed).normalize('NFC').trim()
  if (!isWord(word.replaceAll(/[*?]/g, ' '))) throw fail('moderation.word_wrong', { word })
  return word
}

const DECIMAL = /^[1-9]\d{0,15}$/
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
