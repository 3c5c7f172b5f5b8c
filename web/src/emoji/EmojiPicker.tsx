import type { GuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import { emojiCharacters } from '@guildhall/wire/message/emoji.ts'
import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocale, useText } from '../kit/i18n.ts'
import { useDebounced } from '../kit/useDebounced.ts'
import { icon } from '../ui/icons.tsx'
import { type CatalogueEmoji, GROUPS } from './catalogue.ts'
import { CELL, type Cell, type Section } from './cell.ts'
import { EmojiGrid, type GridHandle } from './EmojiGrid.tsx'
import styles from './EmojiPicker.module.css'
import { EmojiSearch } from './EmojiSearch.tsx'
import { EmojiTabs } from './EmojiTabs.tsx'
import { EmojiTones } from './EmojiTones.tsx'
import { RepeatingKey } from './RepeatingKey.tsx'
import { addRecentEmoji, recentEmoji } from './recentEmoji.ts'
import { searchEmoji } from './search.ts'
import { text } from './text.ts'
import { TONES } from './tone.ts'

const EraseIcon = icon(<path d="M9 5.500h11v13H9L3.500 12zm3 4 5 5m0-5-5 5" />)

/** Debounce: pause in typing before the search, ms. */
const SEARCH_AFTER_MS = 150

/** A guild with its emoji. */
export interface OtherGuild {
  readonly id: string
  readonly name: string
  readonly emojis: readonly GuildEmoji[]
}
const NO_OTHERS: readonly OtherGuild[] = []

/** Emoji picker with search and groups. `onErase` and `onClose` are given where it replaces a keyboard. */
export default function EmojiPicker(props: {
  catalogue: readonly CatalogueEmoji[]
  /** The guild's own; null: they could not be loaded. */
  own: readonly GuildEmoji[] | null
  guildName: string
  /** Other guilds whose emoji may be used too. */
  others?: readonly OtherGuild[]
  onPick: (emoji: Emoji) => void
  onErase?: (() => void) | undefined
  onClose?: (() => void) | undefined
  onRetryOwn?: (() => void) | undefined
}) {
  const { own } = props
  const t = useText(text)
  const [typed, setTyped] = useState('')
  const wanted = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  const grid = useRef<GridHandle>(null)
  const [seen, setSeen] = useState('')
  const [tones, setTones] = useState<{ of: Cell; left: number; top: number; from: HTMLElement } | null>(null)
  const box = useRef<HTMLDivElement>(null)

  const { sections, found, shown } = useSections(props, wanted)

  const pick = (it: Emoji) => {
    addRecentEmoji(it)
    props.onPick({ id: it.id, name: it.name })
  }
  const closeTones = () => {
    tones?.from.focus({ preventScroll: true })
    setTones(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    if (tones) {
      event.stopPropagation()
      // A surrounding sheet has its own key listener.
      event.nativeEvent.stopImmediatePropagation()
      closeTones()
    } else if (props.onClose) {
      event.preventDefault()
      props.onClose()
    }
  }
  const active = found ? '' : seen || (sections[0]?.id ?? '')
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes, wherever inside the focus is
    <div className={styles.picker} ref={box} onKeyDown={onKeyDown}>
      <EmojiSearch typed={typed} onType={setTyped} onEnter={() => grid.current?.enter()} />
      <p className="unseen" role="status">
        {found && found.length > 0 && t.foundCount(found.length)}
      </p>
      {found?.length === 0 ? (
        <p className={styles.nothing} role="status">
          {t.nothing}
        </p>
      ) : (
        <EmojiGrid
          key={found ? 'found' : 'all'}
          handle={grid}
          sections={shown}
          onSeen={setSeen}
          onPick={pick}
          onTones={(of, from) => {
            if (box.current) setTones({ of, from, ...tonesPlace(from, box.current) })
          }}
        />
      )}
      {own === null && (
        <p className={styles.failed} role="alert">
          {t.ownFailed}
          <button type="button" onClick={props.onRetryOwn}>
            {t.retry}
          </button>
        </p>
      )}
      <div className={styles.foot}>
        <EmojiTabs
          sections={sections}
          active={active}
          onOpen={(id) => {
            setTyped('')
            setSeen(id)
            grid.current?.show(id)
          }}
        />
        {props.onErase && (
          <RepeatingKey className={styles.erase} label={t.erase} onPress={props.onErase}>
            <EraseIcon size={22} />
          </RepeatingKey>
        )}
      </div>
      {tones && (
        <>
          <button
            type="button"
            className={styles.tonesBackdrop}
            aria-label={t.close}
            tabIndex={-1}
            onClick={closeTones}
          />
          <EmojiTones
            of={tones.of}
            style={{ left: tones.left, top: tones.top }}
            onPick={(it) => {
              closeTones()
              pick(it)
            }}
          />
        </>
      )}
    </div>
  )
}

/**
 * The picker's sections, what a search found (null: nothing is searched), and which of both is shown. An
 * emoji of a guild that was used recently is shown only where it may be used.
 */
function useSections(
  props: {
    catalogue: readonly CatalogueEmoji[]
    own: readonly GuildEmoji[] | null
    guildName: string
    others?: readonly OtherGuild[]
  },
  wanted: string,
) {
  const { catalogue, own, guildName, others = NO_OTHERS } = props
  const t = useText(text)
  const locale = useLocale()
  // The recent emoji do not change while the picker is open.
  const [recent] = useState(recentEmoji)
  const cellOf = useMemo(() => {
    const known = new Map(catalogue.map((it) => [it.id, it]))
    return (it: Emoji): Cell => {
      const entry = known.get(it.id)
      const label = entry?.labels[locale] ?? it.name
      return { id: it.id, name: it.name, label: label || it.name, hasTones: entry?.hasTones ?? false }
    }
  }, [catalogue, locale])
  const usable = useMemo(() => [...(own ?? []), ...others.flatMap(({ emojis }) => emojis)], [own, others])
  const sections = useMemo((): readonly Section[] => {
    const ownById = new Map(usable.map((it) => [it.id, it]))
    const shown = recent.flatMap((it) => (emojiCharacters(it.id) === null ? (ownById.get(it.id) ?? []) : it))
    return [
      { id: 'recent', title: t.recent, cells: shown.map(cellOf) },
      { id: 'own', title: guildName, cells: (own ?? []).map(cellOf) },
      ...others.map((it) => ({ id: `guild${it.id}`, title: it.name, cells: it.emojis.map(cellOf) })),
      ...GROUPS.map((group) => ({
        id: `group${group}`,
        title: t[`group${group}`],
        cells: catalogue.filter((it) => it.group === group).map(cellOf),
      })),
    ].filter(({ cells }) => cells.length > 0)
  }, [catalogue, own, others, usable, recent, guildName, t, cellOf])
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

/**
 * Where the skin tones of a cell are shown in the picker, px: above the cell, or below it at the top edge.
 */
function tonesPlace(cell: HTMLElement, picker: HTMLElement): { left: number; top: number } {
  const [at, all] = [cell.getBoundingClientRect(), picker.getBoundingClientRect()]
  const width = (TONES.length + 1) * CELL + 8
  const above = at.top - all.top - CELL - 12
  return {
    left: Math.max(4, Math.min(at.left - all.left, all.width - width - 4)),
    top: above < 4 ? at.bottom - all.top + 4 : above,
  }
}
