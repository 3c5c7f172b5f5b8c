import type { GuildRightsView } from '@guildhall/wire/boost/levels.ts'
import { useId } from 'react'
import { useText } from '../../kit/i18n.ts'
import { ChevronIcon } from '../../ui/icon/icon.tsx'
import { CheckIcon } from '../../ui/icon/laterIcons.tsx'
import { text } from '../text.ts'
import styles from './Level.module.css'
import { newsOf, type Right } from './levelNews.ts'
import { RightIcon } from './rightIcons.tsx'
import { rightValue } from './rightText.ts'

/**
 * What a level brings: first what is new with it, and what it has more of; the rest is folded as `isOpen`
 * says, and always open without `onToggle`.
 */
export function LevelRights(props: { of: GuildRightsView; isOpen: boolean; onToggle?: () => void }) {
  const t = useText(text)
  const rest = useId()
  const level = props.of.level.value
  const { added, raised, same } = newsOf(props.of)
  const isOpen = props.isOpen || !props.onToggle
  return (
    <div className={styles.rights}>
      <ul aria-label={t.newAt(level)}>
        {added.map((right) => (
          <Row key={right.key} right={right} level={level} tag={t.isNew} />
        ))}
        {raised.map(({ right, before }) => (
          <Row key={right.key} right={right} level={level} before={before} />
        ))}
      </ul>
      {props.onToggle && same.length > 0 && (
        <button
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={rest}
          onClick={props.onToggle}
        >
          {t.rest(same.length)}
          <ChevronIcon size={20} />
        </button>
      )}
      <ul id={rest} aria-label={t.kept} hidden={!isOpen || same.length === 0}>
        {same.map((right) => (
          <Row key={right.key} right={right} level={level} />
        ))}
      </ul>
    </div>
  )
}

/** It stands once, behind the new value. */
const UNIT = / (?:MB|kbps)$/

/** A right and its worth; a tick where it is only there or not. `before`: what the level before has of it. */
function Row(props: { right: Right; level: number; tag?: string; before?: Right['value'] }) {
  const t = useText(text)
  const { right, level, tag, before } = props
  const isThere = typeof right.value === 'boolean' && right.key !== 'custom_id'
  return (
    <li className={styles.right} data-new={tag !== undefined || before !== undefined || undefined}>
      <span className={styles.sign}>
        <RightIcon of={right.key} size={18} />
      </span>
      <span className={styles.name}>
        {right.name}
        {tag && <span className={styles.tag}>{tag}</span>}
      </span>
      <span className={styles.value}>
        {before !== undefined && (
          <span className={styles.before}>
            {rightValue({ ...right, value: before }, level - 1, t).replace(UNIT, '')}
            <span aria-hidden="true"> → </span>
            <span className="unseen">{t.becomes}</span>
          </span>
        )}
        {isThere ? (
          <>
            <CheckIcon size={18} />
            <span className="unseen">{t.yes}</span>
          </>
        ) : (
          rightValue(right, level, t)
        )}
      </span>
    </li>
  )
}
