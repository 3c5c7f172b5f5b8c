import type { Review } from '@guildhall/wire/staff/reviews.ts'
import { workingMsBetween } from '@guildhall/wire/staff/workingTime.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import { useText } from '../../kit/i18n.ts'
import { Tag } from '../parts/Section.tsx'
import { reviewsText } from './reviewsText.ts'

/** From so long before the end of the promise, ms. */
const SOON_MS = 4 * HOUR_MS

/** How long a case waits, and whether that is longer than promised. */
export function Waited({ of: { created_at, promised_by } }: { of: Review }) {
  const t = useText(reviewsText)
  const now = Date.now()
  const left = workingMsBetween(now, promised_by)
  return (
    <span>
      {t.hours(Math.floor((now - created_at) / HOUR_MS))}{' '}
      {now > promised_by ? <Tag kind="bad">{t.late}</Tag> : left < SOON_MS && <Tag kind="wait">{t.soon}</Tag>}
    </span>
  )
}
