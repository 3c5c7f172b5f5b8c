import type { Emoji } from '@guildhall/wire/message/message.ts'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { useDebounced } from '../kit/useDebounced.ts'
import { useIsDrawn } from '../kit/useIsDrawn.ts'
import { icon } from '../ui/icon/icons.tsx'
import { CELL, type Cell } from './cell.ts'
import styles from './EmojiPicker.module.css'
import { EmojiSearch } from './EmojiSearch.tsx'
import { EmojiTabs } from './EmojiTabs.tsx'
import { EmojiTones } from './EmojiTones.tsx'
import { EmojiGrid, type GridHandle } from './grid/EmojiGrid.tsx'
import { RepeatingKey } from './RepeatingKey.tsx'
import { addRecentEmoji } from './recentEmoji.ts'
import { text } from './text.ts'
import { TONES } from './tone.ts'
import { type EmojiSources, useSections } from './useSections.ts'

const EraseIcon = icon(<path d="M9 5.500h11v13H9L3.500 12zm3 4 5 5m0-5-5 5" />)

const NONE: readonly never[] = []

/** Debounce: pause in typing before the search, ms. */
const SEARCH_AFTER_MS = 150

/** Emoji picker with search and groups. `onErase` and `onClose` are given where it replaces a keyboard. */
export default function EmojiPicker(
  props: EmojiSources & {
    onPick: (emoji: Emoji) => void
    onErase?: (() => void) | undefined
    onClose?: (() => void) | undefined
    onRetryOwn?: (() => void) | undefined
  },
) {
  const t = useText(text)
  const [typed, setTyped] = useState('')
  const wanted = useDebounced(typed.trim(), SEARCH_AFTER_MS)
  const grid = useRef<GridHandle>(null)
  const [seen, setSeen] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const { sections, found, shown } = useSections(props, wanted)
  const isDrawn = useIsDrawn()
  const pick = ({ id, name }: Emoji) => {
    addRecentEmoji({ id, name })
    props.onPick({ id, name })
  }
  const { tones, showTones, closeTones } = useTones(box)
  const active = found ? '' : seen || (sections[0]?.id ?? '')
  const openSection = (id: string) => {
    setTyped('')
    setSeen(id)
    grid.current?.show(id)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes, wherever inside the focus is
    <div
      className={styles.picker}
      ref={box}
      onKeyDown={(event) => closeByKey(event, tones && closeTones, props.onClose)}
    >
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
          sections={isDrawn ? shown : NONE}
          onSeen={setSeen}
          onPick={pick}
          onTones={showTones}
        />
      )}
      {props.own === null && <OwnFailed onRetry={props.onRetryOwn} />}
      <div className={styles.foot}>
        <EmojiTabs sections={sections} active={active} onOpen={openSection} />
        {props.onErase && <EraseKey onPress={props.onErase} />}
      </div>
      {tones && <TonesOverlay tones={tones} onPick={pick} onClose={closeTones} />}
    </div>
  )
}

/** Escape closes the tones, if they are open, or else the picker. */
function closeByKey(
  event: KeyboardEvent,
  closeTones: (() => void) | null,
  closePicker: (() => void) | undefined,
): void {
  if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
  if (closeTones) {
    event.stopPropagation()
    // A surrounding sheet has its own key listener.
    event.nativeEvent.stopImmediatePropagation()
    closeTones()
  } else if (closePicker) {
    event.preventDefault()
    closePicker()
  }
}

function EraseKey({ onPress }: { onPress: () => void }) {
  const t = useText(text)
  return (
    <RepeatingKey className={styles.erase} label={t.erase} onPress={onPress}>
      <EraseIcon size={22} />
    </RepeatingKey>
  )
}

function OwnFailed({ onRetry }: { onRetry: (() => void) | undefined }) {
  const t = useText(text)
  return (
    <p className={styles.failed} role="alert">
      {t.ownFailed}
      <button type="button" onClick={onRetry}>
        {t.retry}
      </button>
    </p>
  )
}

/** The skin tones of a cell, shown at a position in the picker, px. */
interface ShownTones {
  readonly of: Cell
  readonly left: number
  readonly top: number
  readonly from: HTMLElement
}

/** The skin tones that are open; closing them focuses their cell. `box`: the picker. */
function useTones(box: RefObject<HTMLElement | null>) {
  const [tones, setTones] = useState<ShownTones | null>(null)
  const showTones = (of: Cell, from: HTMLElement) => {
    if (box.current) setTones({ of, from, ...tonesPosition(from, box.current) })
  }
  const closeTones = () => {
    tones?.from.focus({ preventScroll: true })
    setTones(null)
  }
  return { tones, showTones, closeTones }
}

function TonesOverlay(props: { tones: ShownTones; onPick: (emoji: Emoji) => void; onClose: () => void }) {
  const { of, left, top } = props.tones
  const t = useText(text)
  return (
    <>
      <button
        type="button"
        className={styles.tonesBackdrop}
        aria-label={t.close}
        tabIndex={-1}
        onClick={props.onClose}
      />
      <EmojiTones
        of={of}
        style={{ left, top }}
        onPick={(emoji) => {
          props.onClose()
          props.onPick(emoji)
        }}
      />
    </>
  )
}

/**
 * Where the skin tones of a cell are shown in the picker, px: above the cell, or below it at the top edge.
 */
function tonesPosition(cell: HTMLElement, picker: HTMLElement): { left: number; top: number } {
  const [at, all] = [cell.getBoundingClientRect(), picker.getBoundingClientRect()]
  const width = (TONES.length + 1) * CELL + 8
  const above = at.top - all.top - CELL - 12
  return {
    left: Math.max(4, Math.min(at.left - all.left, all.width - width - 4)),
    top: above < 4 ? at.bottom - all.top + 4 : above,
  }
}
