import type { FoundPerson } from '@guildhall/wire/staff/people.ts'
import { useText } from '../../kit/i18n.ts'
import styles from '../parts/parts.module.css'
import { momentLabel, Tag } from '../parts/Section.tsx'
import { peopleText } from './peopleText.ts'

const KINDS = { active: 'good', suspended: 'bad', deleted: 'plain' } as const

/** How an account stands. */
export function PersonTags({
  of: { state, suspended_until, bot, is_staff },
}: {
  of: Pick<FoundPerson, 'state' | 'suspended_until' | 'bot' | 'is_staff'>
}) {
  const t = useText(peopleText)
  const text =
    state !== 'suspended'
      ? t[state]
      : suspended_until === 0
        ? t.suspendedForGood
        : t.suspendedUntil(momentLabel(suspended_until))
  return (
    <span className={styles.tags}>
      <Tag kind={KINDS[state]}>{text}</Tag>
      {bot && <Tag>{t.bot}</Tag>}
      {is_staff && <Tag kind="wait">{t.staff}</Tag>}
    </span>
  )
}
