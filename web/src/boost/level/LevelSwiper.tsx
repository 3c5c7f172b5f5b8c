import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { BackIcon, NextIcon } from '../../ui/icon/icons.tsx'
import { CheckIcon } from '../../ui/icon/laterIcons.tsx'
import styles from '../Boost.module.css'
import { text } from '../text.ts'
import { LevelBadge } from './LevelBadge.tsx'
import { LevelRights } from './LevelRights.tsx'

/** What stays beside a card when it is brought to the start, px. */
const PADDING = 16

/**
 * One card per level, side by side; the guild's next one is shown first. At a desk arrows lead from one to
 * the next. The rest of what levels bring is unfolded on all of them at once, so that they are compared.
 */
export function LevelSwiper(props: {
  boosts: number
  level: number
  levels: readonly GuildRightsView[]
  onReach: (missing: number) => void
}) {
  const t = useText(text)
  const id = useId()
  const { boosts, level, levels } = props
  const box = useRef<HTMLUListElement>(null)
  const { ends, look, step } = useSteps(box)
  const [isOpen, setOpen] = useState(false)
  const first = Math.min(level, levels.length - 1)
  useEffect(() => {
    const card = box.current?.children[first]
    if (card instanceof HTMLElement) box.current?.scrollTo({ left: card.offsetLeft - PADDING })
    look()
  }, [first, look])
  return (
    <section>
      <div className={styles.swiperHead}>
        <h2 className={styles.title} id={id}>
          {t.rights}
        </h2>
        <Step label={t.levelBefore} isOff={ends.isStart} onPress={() => step(-1)}>
          <BackIcon size={20} />
        </Step>
        <Step label={t.levelAfter} isOff={ends.isEnd} onPress={() => step(1)}>
          <NextIcon size={20} />
        </Step>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <ul className={styles.swiper} ref={box} tabIndex={0} aria-labelledby={id} onScroll={look}>
        {levels.map((each) => (
          <Card
            key={each.level.value}
            of={each}
            isReached={each.level.value <= level}
            missing={each.boost_num.value - boosts}
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            onReach={props.onReach}
          />
        ))}
      </ul>
    </section>
  )
}

/** Steps from card to card, and whether one more is left on either side. */
function useSteps(box: RefObject<HTMLUListElement | null>) {
  const [ends, setEnds] = useState({ isStart: false, isEnd: false })
  const [look] = useState(() => () => {
    const it = box.current
    if (!it) return
    const isStart = it.scrollLeft < 2
    const isEnd = it.scrollLeft + it.clientWidth > it.scrollWidth - 2
    setEnds((was) => (was.isStart === isStart && was.isEnd === isEnd ? was : { isStart, isEnd }))
  })
  const step = (by: 1 | -1) => {
    const it = box.current
    const card = it?.firstElementChild
    if (it && card instanceof HTMLElement)
      it.scrollBy({ left: by * (card.offsetWidth + PADDING), behavior: 'smooth' })
  }
  return { ends, look, step }
}

function Step(props: { label: string; isOff: boolean; onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.step}
      aria-label={props.label}
      title={props.label}
      disabled={props.isOff}
      onClick={props.onPress}
    >
      {props.children}
    </button>
  )
}

function Card(props: {
  of: GuildRightsView
  isReached: boolean
  /** How many packs the guild lacks for it. */
  missing: number
  isOpen: boolean
  onToggle: () => void
  onReach: (missing: number) => void
}) {
  const t = useText(text)
  const { of, missing } = props
  const level = of.level.value
  return (
    <li className={styles.slide} data-level={level} data-on={props.isReached || undefined}>
      <div className={styles.slideHead}>
        <LevelBadge level={level} size={36} />
        <h3>{t.rightsOf(level)}</h3>
      </div>
      <p className={styles.slideNeeds}>
        {missing <= 0 ? (
          <>
            <CheckIcon size={18} /> {t.reached}
          </>
        ) : (
          `${t.needs(of.boost_num.value)} · ${t.missing(missing)}`
        )}
      </p>
      <LevelRights of={of} isOpen={props.isOpen} onToggle={props.onToggle} />
      {missing > 0 && (
        <button type="button" className={styles.gold} onClick={() => props.onReach(missing)}>
          {t.reach}
        </button>
      )}
    </li>
  )
}
