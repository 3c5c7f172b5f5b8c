/** A rule as it is written in its form. Pure. */
import type { ChannelId } from '@guildhall/wire/id.ts'
import {
  type GuildRule,
  type RaidLimit,
  type RuleAct,
  type RuleKind,
  raidLimitOf,
} from '@guildhall/wire/moderation/moderation.ts'
import type { ModerationText } from './text.ts'

export interface Draft {
  readonly name: string
  readonly kind: RuleKind
  /** Words and patterns, or hosts, one a line. */
  readonly lines: string
  /** 0: it does not matter. */
  readonly count: number
  readonly repeats: number
  readonly seconds: number
  /** What becomes of the message. */
  readonly fate: 'delete' | 'hold' | 'none' | RaidLimit
  /** For how long a raid limits joining, seconds. */
  readonly pause: number
  /** Seconds; 0: nobody is muted. */
  readonly mute: number
  /** Empty: no channel is told. */
  readonly notify: string
  readonly exempt: readonly number[]
  readonly isOn: boolean
}

const STANDARD: Readonly<Record<RuleKind, Partial<Draft>>> = {
  word: {},
  link: {},
  invite: {},
  flood: { count: 5, repeats: 2, seconds: 10 },
  mention: { count: 5 },
  newcomer: { seconds: 600 },
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
  fate: 'delete',
  mute: 0,
  pause: 0,
  notify: '',
  exempt: [],
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
    lines: [...(rule.words ?? []), ...(rule.patterns ?? [])].join('\n'),
    count: rule.count ?? 0,
    repeats: rule.repeats ?? 0,
    seconds: rule.seconds ?? 0,
    fate: FATES.find((type) => act(type)) ?? limit?.type ?? 'none',
    pause: limit?.duration ?? 0,
    mute: act('mute')?.duration ?? 0,
    notify: act('notify')?.channel_id ?? '',
    exempt: rule.exempt_roles,
    isOn: rule.switch,
  }
}

const PATTERN = /[*?]/

/** What the rule looks for, and whom it leaves alone. */
export function looksOf({ kind, lines, count, repeats, seconds, exempt }: Draft) {
  const all = lines
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  return {
    words: all.filter((line) => kind === 'link' || !PATTERN.test(line)),
    patterns: all.filter((line) => kind !== 'link' && PATTERN.test(line)),
    count,
    repeats,
    ...(seconds > 0 && { seconds }),
    exempt_roles: [...exempt],
  }
}

/** All fields of a draft as calls name them. */
export const fieldsOf = (draft: Draft) => ({
  name: draft.name.trim(),
  ...looksOf(draft),
  acts: actsOf(draft),
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
export const AMOUNTS = [1, 2, 3, 5, 8, 10, 20, 50] as const

/** Values to choose from, with the one that is set by other means. */
export const withOwn = (all: readonly number[], own: number): number[] =>
  own === 0 || all.includes(own) ? [...all] : [...all, own].sort((a, b) => a - b)
