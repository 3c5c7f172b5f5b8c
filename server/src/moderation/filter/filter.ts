/**
 * Word filters of the public protocol: rules against words and invites as it makes and shows them. Decision
 * 122.
 */
import { channelType } from '@guildhall/wire/channel/channel.ts'
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { defaultLocale } from '@guildhall/wire/locale.ts'
import {
  type createFilter as createFilterRoute,
  exemptionType,
  type Filter,
  type FilterExemptions,
  type FilterHandlers,
  type FilterTargets,
  filterType,
  handlerType,
  type listFilters as listFiltersRoute,
  type updateFilter as updateFilterRoute,
} from '@guildhall/wire/moderation/filter.ts'
import * as wire from '@guildhall/wire/moderation/moderation.ts'
import { isPattern } from '@guildhall/wire/moderation/pattern.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { AnswerOf, InputOf, Route } from '@guildhall/wire/route.ts'
import { channelsAmong } from '../../channel/channel.ts'
import type { Db } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { clean } from '../../kit/http/input.ts'
import { changeRule, deleteRule, listRules, makeRule, requireSayable } from '../rules.ts'
import type { LooksFor, RuleRow } from '../sql.ts'
import { filterNames } from '../text.ts'

/** The kinds of rules that filters are, by their types. */
const KINDS = ['word', 'invite'] as const
type FilterKind = (typeof KINDS)[number]
const isFilter = (kind: wire.RuleKind): kind is FilterKind => KINDS.some((it) => it === kind)

/** @throws Failure forbidden, member.no_right */
export async function listFilters(
  db: Db,
  userId: UserId,
  { guild_id: guildId, page, page_size }: InputOf<typeof listFiltersRoute>,
): Promise<AnswerOf<typeof listFiltersRoute>> {
  const all = (await listRules(db, userId, guildId)).items.filter(({ kind }) => isFilter(kind))
  const size = Math.min(page_size, LIST_SIZE_MAX)
  const items = await shown(db, guildId, all.slice((page - 1) * size, page * size))
  const total = all.length
  return { items, meta: { page, page_total: Math.ceil(total / size), page_size: size, total }, sort: {} }
}

/** @throws Failure as `createRule`, and bad_input for what no rule means */
export async function createFilter(
  appContext: AppContext,
  userId: UserId,
  input: InputOf<typeof createFilterRoute>,
): Promise<Filter> {
  const { guild_id, type, targets, handlers, exemption_list, switch: isOn } = input
  const kind = type === filterType.word ? 'word' : 'invite'
  await requireSayable(appContext, userId, guild_id, [input.name, ...saidIn(handlers)])
  const rule = await makeRule(appContext, userId, guild_id, () =>
    read(wire.createRule, {
      guild_id,
      kind,
      name: input.name ?? filterNames[defaultLocale][kind],
      ...looksOf(kind, targets, {}),
      ...actsOf(handlers, []),
      ...exemptOf(exemption_list),
      switch: isOn,
    }),
  )
  return (await shown(appContext.db, guild_id, [rule]))[0]!
}

/**
 * Changes what is given; what filters do not say of a rule stays.
 * @throws Failure as `updateRule`, and bad_input for what no rule means
 */
export async function updateFilter(
  appContext: AppContext,
  userId: UserId,
  { guild_id, id, name, targets, handlers, exemption_list, switch: isOn }: InputOf<typeof updateFilterRoute>,
): Promise<Filter> {
  await requireSayable(appContext, userId, guild_id, [name, ...saidIn(handlers)])
  const wantedOf = ({ kind, looks_for, acts }: RuleRow) => {
    if (!isFilter(kind)) throw fail('moderation.unknown')
    return read(wire.updateRule, {
      guild_id,
      id,
      name,
      ...(targets && looksOf(kind, targets, looks_for)),
      ...(handlers && actsOf(handlers, acts)),
      ...(exemption_list && exemptOf(exemption_list)),
      switch: isOn,
    })
  }
  const rule = await changeRule(appContext, userId, { guild_id, id }, wantedOf)
  return (await shown(appContext.db, guild_id, [rule]))[0]!
}

/** @throws Failure forbidden, member.no_right, moderation.unknown */
export const deleteFilter = (
  appContext: AppContext,
  userId: UserId,
  input: InputOf<typeof wire.deleteRule>,
): Promise<void> => deleteRule(appContext, userId, input, KINDS)

/** What authors of stopped messages would read. */
const saidIn = (handlers: FilterHandlers = []) => handlers.map((it) => it.custom_error_msg)

const wrong = (field: string) => fail('bad_input', { fields: [field] })

/** What filters call fields of rules that are no targets. */
const FIELDS: Readonly<Record<string, string>> = {
  acts: 'handlers',
  exempt_roles: 'exemption_list',
  exempt_channels: 'exemption_list',
}

/** What a filter says, within the bounds of rules. @throws Failure bad_input */
function read<R extends Route>(route: R, rule: object): InputOf<R> {
  const parsed = route.input.safeParse(rule)
  if (parsed.success) return parsed.data as InputOf<R>
  const [field = ''] = parsed.error.issues.map(({ path }) => String(path[0] ?? ''))
  throw wrong(FIELDS[field] ?? 'targets')
}

/** Between words. A word or pattern with one in it is not shown, and stays when others change. */
const BETWEEN = '|'
const isShown = (it: string): boolean => !it.includes(BETWEEN)

/** @throws Failure bad_input for words of which all others were forbidden */
function looksOf(kind: FilterKind, targets: FilterTargets, { words = [], patterns = [] }: LooksFor) {
  const given = targets[targets.enabled] ?? ''
  const all =
    typeof given === 'string'
      ? given.split(BETWEEN)
      : given.map((it) => (typeof it === 'string' ? it : it.id))
  const each = all.map((it) => clean(it).trim()).filter(Boolean)
  if (kind === 'invite')
    return { guilds: each, guilds_are: targets.enabled === 'whitelist' ? 'allowed' : 'refused' }
  if (targets.enabled === 'whitelist' || typeof given !== 'string') throw wrong('targets')
  const isWord = (it: string) => words.includes(it) || !isPattern(it)
  const stays = (it: string) => !isShown(it)
  return {
    words: [...each.filter(isWord), ...words.filter(stays)],
    patterns: [...each.filter((it) => !isWord(it)), ...patterns.filter(stays)],
  }
}

/** The acts that handlers are, beside those that they do not say. @throws Failure bad_input */
function actsOf(handlers: FilterHandlers, before: readonly wire.RuleAct[]) {
  const of = (type: number) => handlers.find((it) => it.type === type)
  const [intercept, log] = [of(handlerType.intercept), of(handlerType.log)]
  if (log?.enable && !log.alert_channel_id) throw wrong('handlers')
  const acts = [
    ...(intercept?.enable ? [{ type: 'delete' }] : []),
    ...before.filter(({ type }) => type !== 'delete' && type !== 'notify'),
    ...(log?.enable ? [{ type: 'notify', channel_id: log.alert_channel_id }] : []),
  ]
  return { acts, message: intercept && clean(intercept.custom_error_msg ?? '') }
}

const exemptOf = (list: FilterExemptions) => ({
  exempt_roles: list.filter(({ type }) => type === exemptionType.role).map(({ id }) => Number(id)),
  exempt_channels: list.filter(({ type }) => type !== exemptionType.role).map(({ id }) => id),
})

/** Rules as filters. */
async function shown(db: Db, guildId: GuildId, rules: readonly wire.GuildRule[]): Promise<Filter[]> {
  const channels = await channelsAmong(
    db,
    guildId,
    rules.flatMap(({ exempt_channels }) => exempt_channels),
  )
  const categories = new Set(channels.filter(({ type }) => type === channelType.category).map(({ id }) => id))
  return rules.map((rule) => ({
    id: rule.id,
    name: rule.name,
    type: rule.kind === 'word' ? filterType.word : filterType.invite,
    targets: targetsOf(rule),
    handlers: handlersOf(rule),
    exemption_list: [
      ...rule.exempt_channels.map((id) => exemption(categories.has(id) ? 'category' : 'channel', id)),
      ...rule.exempt_roles.map((id) => exemption('role', id)),
    ],
    switch: rule.switch,
    created_at: rule.created_at,
    updated_at: rule.updated_at,
  }))
}

const exemption = (type: keyof typeof exemptionType, id: ChannelId | number) => ({
  type: String(exemptionType[type]),
  id: String(id),
})

function targetsOf({
  kind,
  words = [],
  patterns = [],
  guilds = [],
  guilds_are,
}: wire.GuildRule): Filter['targets'] {
  if (kind === 'word') {
    const said = [...words, ...patterns].filter(isShown)
    return { enabled: 'blacklist', blacklist: said.join(BETWEEN) }
  }
  return guilds_are === 'refused'
    ? { enabled: 'blacklist', blacklist: guilds }
    : { enabled: 'whitelist', whitelist: guilds }
}

function handlersOf({ acts, message }: wire.GuildRule): Filter['handlers'] {
  const told = acts.find(({ type }) => type === 'notify')?.channel_id
  return [
    {
      type: handlerType.intercept,
      enable: acts.some(({ type }) => type === 'delete'),
      name: '',
      ...(message && { custom_error_msg: message }),
    },
    { type: handlerType.log, enable: told !== undefined, name: '', ...(told && { alert_channel_id: told }) },
  ]
}
