import type { GuildReview } from '@guildhall/wire/staff/reviews.ts'
import { useText } from '../../kit/i18n.ts'
import { Tag } from '../parts/Section.tsx'
import { Shown } from '../parts/Shown.tsx'
import { TextDiff } from '../parts/TextDiff.tsx'
import { changedIn, PROFILE_FIELDS } from './queue.ts'
import styles from './reviews.module.css'
import { reviewsText } from './reviewsText.ts'

/** How a guild looks and how it would look, field by field and side by side. */
export function ProfileChange({ of }: { of: GuildReview }) {
  const t = useText(reviewsText)
  const changed = changedIn(of)
  const { before, after } = of
  const titles = [of.state === 'waiting' ? t.before : t.beforeDecided, t.after] as const
  return (
    <div className={styles.fields}>
      {before === null && <p className={styles.unknown}>{t.unknownBefore}</p>}
      {PROFILE_FIELDS.map((field) => (
        <section key={field} className={styles.field} aria-label={t[field]}>
          <h2 className={styles.fieldName}>
            {t[field]}
            {!changed.includes(field) && <Tag>{t.same}</Tag>}
          </h2>
          {(['before', 'after'] as const).map((side) => {
            const profile = of[side]
            return (
              <div key={side} className={styles.side} data-side={side}>
                <h3 className={styles.sideName}>{titles[side === 'before' ? 0 : 1]}</h3>
                {!profile ? (
                  '—'
                ) : field === 'icon' || field === 'banner' ? (
                  <Shown
                    src={profile[field]}
                    alt={`${titles[side === 'before' ? 0 : 1]}：${t[field]}`}
                    shape={field}
                  />
                ) : profile[field] === '' ? (
                  <p className={styles.empty}>{t.empty}</p>
                ) : (
                  <TextDiff before={before ? before[field] : after[field]} after={after[field]} side={side} />
                )}
              </div>
            )
          })}
        </section>
      ))}
    </div>
  )
}
