/** A rule as it is written in its form. Pure. */
import type { ChannelId } from '@guildhall/wire/id.ts'
import {
  type Condition,
  type GuildRule,
  type RaidLimit,
  type RuleAct,
  type RuleKind,
  raidLimitOf,
} from '@guildhall/wire/moderation/moderation.ts'
import { isPattern } from '@guildhall/wire/moderation/pattern.ts'
import type { ModerationText } from './text.ts'

export interface Draft {
  readonly name: string
  readonly kind: RuleKind
  /** Words and patterns, hosts, or guilds, one a line. */
  readonly lines: string
  /** 0: it does not matter. */
  readonly count: number
  readonly repeats: number
  readonly seconds: number
  /** What the list of guilds is to a rule against invites. */
  readonly guildsAre: NonNullable<GuildRule['guilds_are']>
  /** Of a restriction. */
  readonly conditions: readonly Condition[]
  /** Minutes after joining; 0: for as long as the conditions are true. */
  readonly limit: number
  /** What becomes of the message. */
  readonly fate: 'delete' | 'hold' | 'none' | RaidLimit
  /** For how long a raid limits joining, seconds. */
  readonly pause: number
  /** Seconds; 0: nobody is muted. */
  readonly mute: number
  /** Empty: no channel is told. */
  readonly notify: string
  readonly exempt: readonly number[]
  readonly exemptChannels: readonly ChannelId[]
  /** What the author of a stopped message reads; empty: the general words. */
  readonly message: string
  readonly isOn: boolean
}

const STANDARD: Readonly<Record<RuleKind, Partial<Draft>>> = {
  word: {},
  link: {},
  invite: {},
  flood: { count: 5, repeats: 2, seconds: 10 },
  mention: { count: 5 },
  newcomer: { seconds: 600 },
  restriction: { conditions: [{ type: 'reg', duration: 24 * 60 }] },
  raid: { count: 10, seconds: 60, fate: 'close', pause: 600 },
}

/** A new rule of a kind. */
export const newDraft = (kind: RuleKind, name: string): Draft => ({
  name,
  kind,
  lines: '',
  count: 0,
  repeats: 0,
  seconds: 0,
  guildsAre: 'allowed',
  conditions: [],
  limit: 0,
  fate: 'delete',
  mute: 0,
  pause: 0,
  notify: '',
  exempt: [],
  exemptChannels: [],
  message: '',
  isOn: true,
  ...STANDARD[kind],
})

/** The first of a rule is what becomes of a message. */
const FATES = ['delete', 'hold'] as const

export function draftOf(rule: GuildRule): Draft {
  const act = (type: RuleAct['type']) => rule.acts.find((it) => it.type === type)
  const limit = raidLimitOf(rule.acts)
  return {
    name: rule.name,
    kind: rule.kind,
    lines: [...(rule.words ?? []), ...(rule.patterns ?? []), ...(rule.guilds ?? [])].join('\n'),
    count: rule.count ?? 0,
    repeats: rule.repeats ?? 0,
    seconds: rule.seconds ?? 0,
    guildsAre: rule.guilds_are ?? 'allowed',
    conditions: rule.conditions,
    limit: rule.limit_time,
    fate: FATES.find((type) => act(type)) ?? limit?.type ?? 'none',
    pause: limit?.duration ?? 0,
    mute: act('mute')?.duration ?? 0,
    notify: act('notify')?.channel_id ?? '',
    exempt: rule.exempt_roles,
    exemptChannels: rule.exempt_channels,
    message: rule.message,
    isOn: rule.switch,
  }
}

/** What is written on the lines of a field. */
export const linesOf = (lines: string): string[] =>
  lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** What the rule looks for, and whom it leaves alone. */
export function looksOf(draft: Draft) {
  const { kind, lines, count, repeats, seconds } = draft
  const all = linesOf(lines)
  return {
    words: all.filter((line) => kind === 'link' || (kind === 'word' && !isPattern(line))),
    patterns: all.filter((line) => kind === 'word' && isPattern(line)),
    count,
    repeats,
    ...(seconds > 0 && { seconds }),
    ...(kind === 'invite' && { guilds: all, guilds_are: draft.guildsAre }),
    ...(kind === 'restriction' && { conditions: [...draft.conditions], limit_time: draft.limit }),
    exempt_roles: [...draft.exempt],
    exempt_channels: [...draft.exemptChannels],
  }
}

/** All fields of a draft as calls name them. */
export const fieldsOf = (draft: Draft) => ({
  name: draft.name.trim(),
  ...looksOf(draft),
  acts: actsOf(draft),
  message: draft.message,
  switch: draft.isOn,
})

export const actsOf = ({ fate, mute, pause, notify }: Draft): RuleAct[] => [
  ...(fate === 'none' ? [] : [{ type: fate, ...(pause > 0 && { duration: pause }) }]),
  ...(mute > 0 ? [{ type: 'mute' as const, duration: mute }] : []),
  ...(notify !== '' ? [{ type: 'notify' as const, channel_id: notify as ChannelId }] : []),
]

/** Only what differs: what somebody else changed meanwhile stays as they left it. */
export function changesOf(before: Draft, after: Draft): Partial<ReturnType<typeof fieldsOf>> {
  const was: Readonly<Record<string, unknown>> = fieldsOf(before)
  return Object.fromEntries(
    Object.entries(fieldsOf(after)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name]),
    ),
  )
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The conditions of a restriction with one of them changed; null: without it. */
export const withCondition = (all: readonly Condition[], type: Condition['type'], to: Condition | null) => [
  ...all.filter((it) => it.type !== type),
  ...(to ? [to] : []),
]

/** A length of time in its largest whole unit. */
export function lengthLabel(seconds: number, t: ModerationText): string {
  if (seconds % DAY === 0) return t.days(seconds / DAY)
  if (seconds % HOUR === 0) return t.hours(seconds / HOUR)
  return seconds % MINUTE === 0 ? t.minutes(seconds / MINUTE) : t.seconds(seconds)
}

export const PAUSES = [10 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY] as const
export const WITHIN = [5, 10, 30, MINUTE, 5 * MINUTE] as const
export const NEW_FOR = [10 * MINUTE, HOUR, DAY, 3 * DAY, 7 * DAY] as const
export const MUTES = [10 * MINUTE, HOUR, DAY, 7 * DAY] as const
/** Minutes. */
export const AGES = [60, 24 * 60, 7 * 24 * 60, 30 * 24 * 60] as const
export const LIMITS = [10, 60, 24 * 60, 7 * 24 * 60] as const
export const AMOUNTS = [1, 2, 3, 5, 8, 10, 20, 50] as const

/** Values to choose from, with the one that is set by other means. */
export const withOwn = (all: readonly number[], own: number): number[] =>
  own === 0 || all.includes(own) ? [...all] : [...all, own].sort((a, b) => a - b)
