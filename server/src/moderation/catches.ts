/** Whether a rule catches a message, for every kind but floods and raids, which are counted. */
import type { GuildId, InviteCode, UserId } from '@guildhall/wire/id.ts'
import { ownCodesIn } from '@guildhall/wire/invite/inviteLink.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { ModeratedMessage } from '../kit/moderation.ts'
import { Folder, type Simplified, WordFilter } from '../screening/screening.ts'
import { addressesIn, isHostOf, isInviteElsewhere } from './addresses.ts'
import { globOf, isIn } from './glob.ts'
import { isTrueOf, type Standing } from './restriction/standing.ts'
import type { LooksFor, RuleRow } from './sql.ts'

type Message = Omit<ModeratedMessage, 'guildId'> & {
  /** When it was said, ms; absent: now. */
  readonly at?: number
}

/** What compiling rules needs. */
export interface Known {
  readonly simplified: Simplified
  /** Where people open the page: addresses of it are nobody else's. */
  readonly host: string
  /** The guild of the rules, and that to which a code invites; null: none. */
  readonly guildId: GuildId
  readonly guildOf: (code: InviteCode) => Promise<GuildId | null>
  /** What restrictions ask of somebody; null: they are gone. */
  readonly standingOf: (userId: UserId) => Promise<Standing | null>
}

/** Codes that are looked up of one message. */
const CODES_MAX = 5

export type Catches = (message: Message) => boolean | Promise<boolean>

export function catchesOf({ kind, looks_for }: Pick<RuleRow, 'kind' | 'looks_for'>, known: Known): Catches {
  const { words = [], patterns = [], count = 0, seconds = 0 } = looks_for
  switch (kind) {
    case 'word':
      return wordCatches(words, patterns, known.simplified)
    case 'link':
      return ({ texts }) => hasAddress(texts, [known.host, ...words])
    case 'invite':
      return ({ texts }) => hasInvite(texts, looks_for, known)
    case 'mention':
      return ({ mentions }) => mentions > count
    case 'newcomer':
      return ({ joinedAt, at = clock.now(), texts, mentions, hasFiles }) =>
        at - joinedAt < seconds * SECOND_MS && (hasFiles || mentions > 0 || hasAddress(texts, [known.host]))
    case 'restriction':
      return (message) => isRestricted(message, looks_for, known)
    case 'flood':
    case 'raid':
      return () => false
  }
}

const hasAddress = (texts: readonly string[], allowed: readonly string[]): boolean =>
  texts.some((text) => addressesIn(text).some(({ host }) => !isHostOf(host, allowed)))

/** Whether a rule leaves a message alone, because of its author's roles or of where it is said. */
export const isLeftAlone = (
  { exempt_roles, exempt_channels }: Pick<RuleRow, 'exempt_roles' | 'exempt_channels'>,
  { roles, channelId, categoryId }: Pick<Message, 'roles' | 'channelId' | 'categoryId'>,
): boolean =>
  exempt_roles.some((role) => roles.includes(role)) ||
  exempt_channels.some((id) => id === channelId || id === categoryId)

/** While it lasts, all of its conditions are true of the author. */
async function isRestricted(
  { authorId, joinedAt, at = clock.now() }: Message,
  { conditions = [], limit_time = 0 }: LooksFor,
  { standingOf }: Known,
): Promise<boolean> {
  if (limit_time > 0 && at - joinedAt >= limit_time * MINUTE_MS) return false
  const standing = await standingOf(authorId)
  return standing !== null && conditions.every((condition) => isTrueOf(condition, standing, at))
}

/** Guilds that are `refused` are all that is caught; else all but invites to those that are allowed. */
async function hasInvite(
  texts: readonly string[],
  { guilds = [], guilds_are = 'allowed' }: LooksFor,
  { host, guildId, guildOf }: Known,
): Promise<boolean> {
  const isRefused = guilds_are === 'refused'
  if (!isRefused && texts.some((text) => addressesIn(text).some(isInviteElsewhere))) return true
  const codes = new Set(texts.flatMap((text) => ownCodesIn(text, host, CODES_MAX)))
  for (const code of [...codes].slice(0, CODES_MAX)) {
    const target = await guildOf(code)
    if (target !== null && target !== guildId && guilds.includes(target) === isRefused) return true
  }
  return false
}

function wordCatches(words: readonly string[], patterns: readonly string[], simplified: Simplified): Catches {
  const filter = new WordFilter(
    words.map((word, index) => ({ id: String(index), word })),
    simplified,
  )
  const folder = new Folder(simplified)
  const codesOf = (text: string) => folder.units(text).map(({ code }) => code)
  const globs = patterns.map((pattern) => globOf(codesOf(pattern)))
  const isFound = (text: string) => {
    let isThere = false
    filter.scan(text, () => {
      isThere = true
      return false
    })
    if (isThere || globs.length === 0) return isThere
    return text.split('\n').some((line) => {
      const codes = codesOf(line)
      return globs.some((glob) => isIn(glob, codes))
    })
  }
  return ({ texts }) => texts.some(isFound)
}

/** What two messages share that say the same. Empty: nothing is said in words. */
export function sameOf(texts: readonly string[], simplified: Simplified): string {
  const folder = new Folder(simplified)
  return texts
    .map((text) =>
      folder
        .units(text)
        .flatMap(({ kind, code }) => (kind === 'space' ? [] : code))
        .join(),
    )
    .join(' ')
    .trim()
}
