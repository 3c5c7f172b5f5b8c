/** Whether a rule catches a message, for every kind but floods and raids, which are counted. */
import type { InviteCode } from '@guildhall/wire/id.ts'
import { ownCodesIn } from '@guildhall/wire/invite/inviteLink.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import type { ModeratedMessage } from '../kit/moderation.ts'
import { Folder, type Simplified, WordFilter } from '../screening/screening.ts'
import { addressesIn, isHostOf, isInviteElsewhere } from './addresses.ts'
import { globOf, isIn } from './glob.ts'
import type { RuleRow } from './sql.ts'

type Message = Omit<ModeratedMessage, 'guildId' | 'channelId' | 'authorId'> & {
  /** When it was said, ms; absent: now. */
  readonly at?: number
}

/** What compiling rules needs. */
export interface Known {
  readonly simplified: Simplified
  /** Where people open the page: addresses of it are nobody else's. */
  readonly host: string
  /** Whether a code invites to another guild than that of the rule. */
  readonly isOfAnother: (code: InviteCode) => Promise<boolean>
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
      return ({ texts }) => hasInvite(texts, known)
    case 'mention':
      return ({ mentions }) => mentions > count
    case 'newcomer':
      return ({ joinedAt, at = clock.now(), texts, mentions, hasFiles }) =>
        at - joinedAt < seconds * SECOND_MS && (hasFiles || mentions > 0 || hasAddress(texts, [known.host]))
    case 'flood':
    case 'raid':
      return () => false
  }
}

const hasAddress = (texts: readonly string[], allowed: readonly string[]): boolean =>
  texts.some((text) => addressesIn(text).some(({ host }) => !isHostOf(host, allowed)))

async function hasInvite(texts: readonly string[], { host, isOfAnother }: Known): Promise<boolean> {
  if (texts.some((text) => addressesIn(text).some(isInviteElsewhere))) return true
  const codes = new Set(texts.flatMap((text) => ownCodesIn(text, host, CODES_MAX)))
  for (const code of [...codes].slice(0, CODES_MAX)) if (await isOfAnother(code)) return true
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
