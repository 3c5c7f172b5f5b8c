import type { HeldWhy } from '@guildhall/wire/staff/held.ts'
import type { MessageReview, Review, ReviewKind } from '@guildhall/wire/staff/reviews.ts'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { Tag } from '../parts/Section.tsx'
import { casePath, changedIn } from './queue.ts'
import styles from './reviews.module.css'
import { reviewsText } from './reviewsText.ts'

const THUMBS = 3

/** What a case is about, in a row of the list: of which kind, what it says or changes, and why it waits. */
export function CaseCell({ of, only }: { of: Review; only: ReviewKind | null }) {
  const t = useText(reviewsText)
  const to = casePath(of, only)
  const kind = <span className={styles.muted}>{t.kindName(of.kind)}</span>
  if (of.kind === 'guild')
    return (
      <div className={styles.case}>
        <Link className={styles.open} to={to}>
          {of.guild_name}
        </Link>
        <span className={styles.tags}>
          {kind}
          {changedIn(of).map((field) => (
            <Tag key={field}>{t[field]}</Tag>
          ))}
        </span>
      </div>
    )
  return (
    <div className={styles.case}>
      <Link className={styles.open} to={to}>
        <span className={styles.excerpt}>{of.words || t.noWords}</span>
      </Link>
      {of.pictures.length > 0 && (
        <span className={styles.thumbs}>
          {of.pictures.slice(0, THUMBS).map((src) => (
            <img key={src} src={src} alt={t.pictureOf(of.user_name)} loading="lazy" />
          ))}
        </span>
      )}
      <span className={styles.tags}>
        {kind}
        <span className={styles.muted}>{targetOf(of, t)}</span>
        <Whys of={of.why} />
      </span>
    </div>
  )
}

/** Why a message waits. */
export function Whys({ of }: { of: readonly HeldWhy[] }) {
  const t = useText(reviewsText)
  return of.map((why) => (
    <Tag key={`${why.kind} ${why.text}`} kind="wait">
      {why.kind === 'word' ? t.word(why.text) : why.kind === 'service' ? t.service(why.text) : t[why.kind]}
    </Tag>
  ))
}

/** Where a message would be said. */
export const targetOf = (
  { channel_id, guild_name, channel_name, target_name }: MessageReview,
  t: (typeof reviewsText)['zh-CN'],
): string => (channel_id ? t.inChannel(guild_name, channel_name) : t.toPerson(target_name))
