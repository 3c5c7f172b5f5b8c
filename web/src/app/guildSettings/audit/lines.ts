/** What the log says of an act: its sentence, and a line for each field that changed. Pure. */
import type { AuditEntry, AuditType } from '@guildhall/wire/audit/audit.ts'
import { channelType } from '@guildhall/wire/channel/channel.ts'
import type { GuildCategory } from '@guildhall/wire/guild/category.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { settingsText, slowLabel } from '../../../channel/settings/settingsText.ts'
import { timeLabel } from '../../../kit/format/time.ts'
import { categoryText } from '../../../profile/categoryText.ts'
import { rightsText } from '../../../role/rightsText.ts'
import { type AuditText, fieldText, maskText, ruleWords, sentenceText, text } from './text.ts'

type Values = NonNullable<AuditEntry['before']>
type Value = unknown

/** Longer texts are cut: the log says that they changed, and roughly how. */
const SHOWN_CHARS = 80
const cut = (words: string) => {
  const chars = [...words]
  return chars.length > SHOWN_CHARS ? `${chars.slice(0, SHOWN_CHARS).join('')}…` : words
}

const wordsOf = (value: Value): string => (typeof value === 'string' ? value : '')

/** What is said of a type, when it is told what it is about. */
type Sentence = (name: string, other: string, n: number) => string

export function sentenceOf(entry: AuditEntry, locale: Locale): string {
  const { type, target, before, after } = entry
  const values = { ...before, ...after }
  const say: Sentence = sentenceText[locale][type]
  return say(
    target.name || (target.kind === 'member' || target.kind === 'message' ? text[locale].gone : target.id),
    wordsOf(values.channel) || wordsOf(values.role),
    Number(values.count ?? Number(values.type === channelType.category)),
  )
}

/** The name of a kind of act, for the filter. */
export function nameOfType(type: AuditType, locale: Locale): string {
  const say: Sentence = sentenceText[locale][type]
  const words = say('…', '…', 0)
  return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1)
}

/** What changed, from which to which, and what else there is to know of it. */
export function linesOf(entry: AuditEntry, locale: Locale, now: number): string[] {
  const t = text[locale]
  const { type, before, after, reason } = entry
  const lines = [
    ...(type.startsWith('overwrite') ? maskLines(before ?? {}, after ?? {}, locale) : []),
    ...(before && after && !type.startsWith('overwrite') ? fieldLines(before, after, locale) : []),
    ...moreLines(type, after ?? {}, t, (at) => timeLabel(at, now, locale)),
  ]
  return reason === '' ? lines : [...lines, t.reason(reason)]
}

function moreLines(type: AuditType, after: Values, t: AuditText, when: (at: number) => string): string[] {
  if (type === 'member_muted' || type === 'member_deafened') {
    const until = Number(after.ends_at ?? 0)
    return [until === 0 ? t.endless : t.until(when(until))]
  }
  if (type === 'member_banned' && after.del_msg_days) return [t.deletedDays(Number(after.del_msg_days))]
  if (type === 'members_pruned' && after.silent_days) return [t.silentDays(Number(after.silent_days))]
  if (type === 'role_granted' && after.invite) return [t.byInvite(wordsOf(after.invite))]
  if (type !== 'invite_created') return []
  const uses = Number(after.setting_times)
  const channel = wordsOf(after.channel)
  const role = wordsOf(after.role)
  return [
    ...(channel ? [t.leadsTo(channel)] : []),
    ...(role ? [t.gives(role)] : []),
    ...(uses > 0 ? [t.usesOf(uses)] : []),
  ]
}

function fieldLines(before: Values, after: Values, locale: Locale): string[] {
  const t = text[locale]
  const lines = Object.keys(after).flatMap((name) => {
    if (!(name in fieldText[locale])) return []
    const label = fieldText[locale][name as keyof (typeof fieldText)['zh-CN']]
    const [from, to] = [before[name], after[name]]
    if (name === 'icon' || name === 'banner') return [t.field(label, to === '' ? t.pictureGone : t.picture)]
    return [t.field(label, t.becomes(shown(name, from, locale), shown(name, to, locale)))]
  })
  return [...lines, ...maskLines(before, after, locale)]
}

function shown(name: string, value: Value, locale: Locale): string {
  const t = text[locale]
  if (name === 'slow_mode') return slowLabel(Number(value), settingsText[locale])
  if (name === 'parent') return wordsOf(value) || t.top
  if (name === 'limit_amount' && value === 0) return t.noLimit
  if (name === 'category') return categoryText[locale][value as GuildCategory] ?? t.empty
  if (name === 'notify_type') return t.notify[Number(value)] ?? ''
  if (name === 'color') return value === 0 ? t.standard : hex(Number(value))
  if (RULE_FIELDS.has(name) && value !== '')
    return String(value).replace(/\w+/g, (word) => wordOf(word, locale))
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (name === 'hoist' || name === 'mentionable') return value ? t.yes : t.no
  if (Array.isArray(value)) return t.joined(value.map(hex))
  return value === null || value === undefined || value === '' ? t.empty : cut(String(value))
}

/** Fields of rules that are said by the names of the contract. */
const RULE_FIELDS: ReadonlySet<string> = new Set(['acts', 'conditions', 'guilds_are', 'action'])

function wordOf(word: string, locale: Locale): string {
  const words: Readonly<Record<string, string>> = ruleWords[locale]
  return words[word] ?? word
}

const hex = (color: number) => `#${color.toString(16).padStart(6, '0')}`

/** Bits that were added and taken, by their names. */
function maskLines(before: Values, after: Values, locale: Locale): string[] {
  const t = text[locale]
  return Object.entries(maskText[locale]).flatMap(([name, [more = '', less = '']]) => {
    const [from, to] = [Number(before[name] ?? 0), Number(after[name] ?? 0)]
    const line = (label: string, bits: number) =>
      bits === 0 ? [] : [t.field(label, t.joined(namesOf(bits, locale)))]
    return [...line(more, to & ~from), ...line(less, from & ~to)]
  })
}

const namesOf = (bits: number, locale: Locale): string[] =>
  Object.entries(permission)
    .filter(([, bit]) => has(bits, bit))
    .map(([name]) => rightsText[locale][name as keyof typeof permission][0] ?? name)
