import { type Locale, locales } from '@guildhall/wire/locale.ts'
import { emojiId } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { nextTask } from '../kit/browser/nextTask.ts'
import { newestDrawable } from './drawable.ts'

/** A Unicode emoji with its search terms. */
export interface CatalogueEmoji extends Emoji {
  /** Unicode's group, 0 to 9 without 2. */
  readonly group: number
  readonly hasTones: boolean
  readonly labels: Readonly<Record<Locale, string>>
  /** Tags and shortcodes in every language, lower case, separated by spaces. */
  readonly keywords: string
}

/** Unicode's groups in their order; 2 holds parts of emoji. */
export const GROUPS = [0, 1, 3, 4, 5, 6, 7, 8, 9] as const

/** Loads the catalogue without the emoji that this device cannot draw. */
export async function loadCatalogue(): Promise<readonly CatalogueEmoji[]> {
  const { default: rows } = await import('virtual:emoji-catalogue')
  // Each takes a slow phone longer than a frame.
  await nextTask()
  const newest = newestDrawable()
  await nextTask()
  return rows
    .filter(([, , version]) => version <= newest)
    .map(([name, group, , hasTones, labels, keywords]) => ({
      id: emojiId(name),
      name,
      group,
      keywords,
      hasTones: hasTones === 1,
      labels: Object.fromEntries(locales.map((locale, i) => [locale, labels[i]])) as CatalogueEmoji['labels'],
    }))
}
