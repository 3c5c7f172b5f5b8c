import { type ReadCards, readCards } from '@guildhall/wire/card/card.ts'
import type { Card, Module, Words } from '@guildhall/wire/card/node.ts'
import { isVisible } from '@guildhall/wire/words.ts'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { ChevronIcon } from '../ui/icon/icons.tsx'
import styles from './Cards.module.css'
import type { CardContext } from './cardContext.ts'
import { FOLD_PX, foldAt } from './cardHeight.ts'
import { invalidText } from './invalidText.ts'
import { ModuleBox } from './ModuleBox.tsx'
import { text } from './text.ts'

/** Parsed cards cached; the oldest is dropped first. */
const KNOWN_MAX = 100
const all = new Map<string, ReadCards>()

function known(content: string): ReadCards {
  const read = all.get(content) ?? readCards(content)
  const oldest = all.keys().next().value
  if (all.size >= KNOWN_MAX && oldest !== undefined) all.delete(oldest)
  all.set(content, read)
  return read
}

/** The cards of a message, or an error line when they are invalid. protocol.md §7, chat.md §3. */
export default function Cards({ content, context }: { content: string; context: CardContext }) {
  const t = useText(text)
  const tInvalid = useText(invalidText)
  const read = useMemo(() => known(content), [content])
  const isEmpty = !('broken' in read) && read.cards.every(({ modules }) => modules.every(isBlank))
  if ('broken' in read || isEmpty)
    return (
      <p
        className={styles.unreadable}
        data-part="message-text"
        data-unsupported
        data-message={context.messageId}
      >
        {isEmpty ? t.empty : tInvalid.invalid}
      </p>
    )
  return (
    <div className={styles.cards} data-part="cards" data-message={context.messageId}>
      {read.cards.map((card, index) =>
        card.modules.every(isBlank) ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
          <CardBox key={index} card={card} id={`${context.messageId} ${index}`} context={context} />
        ),
      )}
    </div>
  )
}

/** Whether a module shows nothing. */
function isBlank(module: Module): boolean {
  if ('elements' in module) return module.elements.length === 0
  if (module.type === 'header') return isBlankText(module.text)
  if (module.type !== 'section' || module.accessory) return false
  const { text: source } = module
  return source.type === 'paragraph' ? source.fields.every(isBlankText) : isBlankText(source)
}

const isBlankText = ({ content }: Words): boolean => !isVisible(content)

/** Unfolded cards stay so for the life of the page, also after scrolling out of sight. */
const unfolded = new Set<string>()

function CardBox({ card, id, context }: { card: Card; id: string; context: CardContext }) {
  const t = useText(text)
  const inside = useRef<HTMLDivElement>(null)
  const [cut, setCut] = useState<number | null>(null)
  const isTall = cut !== null
  const [isOpen, setOpen] = useState(card.expand === true || unfolded.has(id))
  const setUnfolded = (open: boolean) => {
    setOpen(open)
    if (open) unfolded.add(id)
    else unfolded.delete(id)
  }
  useLayoutEffect(() => {
    const here = inside.current
    if (!here) return
    const measure = () => setCut(foldAt(here.offsetHeight, picturesIn(here)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(here)
    return () => observer.disconnect()
  }, [])
  const folded = isTall && !isOpen
  return (
    <div
      className={styles.card}
      data-part="card"
      data-tone={card.theme}
      data-size={card.size}
      data-folded={folded ? (cut > FOLD_PX ? 'picture' : 'text') : undefined}
      style={card.color ? ({ '--bar': card.color } as React.CSSProperties) : undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows where the focus inside of it goes */}
      <div
        className={styles.window}
        style={folded ? { maxHeight: cut } : undefined}
        // Elements with keyboard focus must be visible.
        onFocus={folded ? (event) => isBelow(event, cut) && setUnfolded(true) : undefined}
      >
        <div className={styles.modules} ref={inside}>
          {card.modules.map((module, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the modules of one card never move
            <ModuleBox key={index} module={module} context={context} />
          ))}
        </div>
      </div>
      {isTall && card.expand !== true && (
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          onClick={() => setUnfolded(!isOpen)}
        >
          {isOpen ? t.showLess : t.showMore}
          <ChevronIcon size={18} />
        </button>
      )}
    </div>
  )
}

const isBelow = (event: React.FocusEvent<HTMLElement>, cut: number): boolean =>
  event.target.getBoundingClientRect().bottom > event.currentTarget.getBoundingClientRect().top + cut

/** Where the pictures of a card are, px from its top. */
function picturesIn(card: HTMLElement) {
  const { top: start } = card.getBoundingClientRect()
  return [...card.querySelectorAll('[data-part=card-picture]')].map((each) => {
    const { top, bottom } = each.getBoundingClientRect()
    return { top: top - start, bottom: bottom - start }
  })
}
