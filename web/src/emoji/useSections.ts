import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { Locale } from '@guildhall/wire/locale.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { useMemo, useState } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { type CatalogueEmoji, GROUPS } from './catalogue.ts'
import type { Cell, Section } from './cell.ts'
import { recentEmoji } from './recentEmoji.ts'
import { searchEmoji } from './search.ts'
import { text } from './text.ts'

/** A guild with its emoji. */
export interface OtherGuild {
  readonly id: string
  readonly name: string
  readonly emojis: readonly GuildEmoji[]
}
const NO_OTHERS: readonly OtherGuild[] = []

/** The emoji to pick from. */
export interface EmojiSources {
  catalogue: readonly CatalogueEmoji[]
  /** The guild's own; null: they could not be loaded. */
  own: readonly GuildEmoji[] | null
  guildName: string
  /** Other guilds whose emoji may be used too. */
  others?: readonly OtherGuild[]
}

/** The catalogue as cells, by its groups, and the cell of any emoji. */
interface CatalogueCells {
  readonly cellOf: (emoji: Emoji) => Cell
  readonly groups: readonly { readonly group: (typeof GROUPS)[number]; readonly cells: readonly Cell[] }[]
}

/** The last ones: the picker is opened again and again, and neither catalogue nor locale changes. */
let last: (CatalogueCells & { readonly of: readonly CatalogueEmoji[]; readonly locale: Locale }) | null = null

function catalogueCells(catalogue: readonly CatalogueEmoji[], locale: Locale): CatalogueCells {
  if (last?.of === catalogue && last.locale === locale) return last
  const known = new Map(catalogue.map((it) => [it.id, it]))
  const cellOf = ({ id, name }: Emoji): Cell => {
    const entry = known.get(id)
    return { id, name, label: entry?.labels[locale] || name, hasTones: entry?.hasTones ?? false }
  }
  const cellsOf = (group: number) => catalogue.filter((it) => it.group === group).map(cellOf)
  const groups = GROUPS.map((group) => ({ group, cells: cellsOf(group) }))
  last = { of: catalogue, locale, cellOf, groups }
  return last
}

/**
 * The picker's sections, what a search found (null: nothing is searched), and which of both is shown. An
 * emoji of a guild that was used recently is shown only where it may be used.
 */
export function useSections(sources: EmojiSources, wanted: string) {
  const { catalogue, own, guildName, others = NO_OTHERS } = sources
  const t = useText(text)
  const locale = useLocale()
  // The recent emoji do not change while the picker is open.
  const [recent] = useState(recentEmoji)
  const { cellOf, groups } = catalogueCells(catalogue, locale)
  const usable = useMemo(() => [...(own ?? []), ...others.flatMap(({ emojis }) => emojis)], [own, others])
  const sections = useMemo((): readonly Section[] => {
    const ownById = new Map(usable.map((it) => [it.id, it]))
    const shown = recent.flatMap((it) => (emojiCharacters(it.id) === null ? (ownById.get(it.id) ?? []) : it))
    return [
      { id: 'recent', title: t.recent, cells: shown.map(cellOf) },
      { id: 'own', title: guildName, cells: (own ?? []).map(cellOf) },
      ...others.map((it) => ({ id: `guild${it.id}`, title: it.name, cells: it.emojis.map(cellOf) })),
      ...groups.map(({ group, cells }) => ({ id: `group${group}`, title: t[`group${group}`], cells })),
    ].filter(({ cells }) => cells.length > 0)
  }, [groups, own, others, usable, recent, guildName, t, cellOf])
  const found = useMemo(
    () => (wanted === '' ? null : searchEmoji(catalogue, usable, wanted).map(cellOf)),
    [catalogue, usable, wanted, cellOf],
  )
  const shown = useMemo(
    () => (found ? [{ id: 'found', title: t.found, cells: found }] : sections),
    [found, sections, t],
  )
  return { sections, found, shown }
}
