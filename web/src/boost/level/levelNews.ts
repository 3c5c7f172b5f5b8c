/** What a level brings that the one before it does not. Pure. commerce.md §3 "Rights keys". */
import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { customIdMin } from '@guildhall/wire/guild/customId.ts'
import { RIGHT_KEYS, type RightKey, rightAt } from '@guildhall/wire/guild/levelRights.ts'

export type Right = GuildRightsView['rights'][number]

export interface LevelNews {
  /** The level before has none of them. */
  readonly added: readonly Right[]
  /** The level before has less of them; `before` is its value. */
  readonly raised: readonly { readonly right: Right; readonly before: Right['value'] }[]
  /** The level before has as much. */
  readonly same: readonly Right[]
}

const isKnown = (key: string): key is RightKey => RIGHT_KEYS.some((it) => it === key)

/** Of the rights of a level, which are new with it. One that this page does not know is not called new. */
export function newsOf({ level: { value: level }, rights }: GuildRightsView): LevelNews {
  const added: Right[] = []
  const raised: LevelNews['raised'][number][] = []
  const same: Right[] = []
  for (const right of rights) {
    const before = isKnown(right.key) ? rightAt(right.key, level - 1) : right.value
    if (before === false) added.push(right)
    else if (before !== right.value || isShorterId(right.key, level)) raised.push({ right, before })
    else same.push(right)
  }
  return { added, raised, same }
}

/** The value of the custom id does not say how short it may be. */
const isShorterId = (key: string, level: number): boolean =>
  key === 'custom_id' && customIdMin(level) < customIdMin(level - 1)
