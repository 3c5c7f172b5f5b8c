import type { MessageReview } from '@guildhall/wire/staff/reviews.ts'
import { useText } from '../../kit/i18n.ts'
import { Shown } from '../parts/Shown.tsx'
import { Source } from '../parts/Source.tsx'
import styles from './reviews.module.css'
import { reviewsText } from './reviewsText.ts'

/**
 * What a held message says: its words, its pictures, its file, and how it was typed where that is not the
 * same.
 */
export function HeldMessage({ of }: { of: MessageReview }) {
  const t = useText(reviewsText)
  const isFile = of.file !== '' || of.pictures.some((src) => src.startsWith(of.content))
  return (
    <section className={styles.held} aria-label={t.message}>
      {of.pictures.length > 0 && (
        <div className={styles.pictures}>
          {of.pictures.map((src) => (
            <Shown key={src} src={src} alt={t.pictureOf(of.user_name)} shape="picture" />
          ))}
        </div>
      )}
      {of.file !== '' ? (
        <a className={styles.file} href={of.file} target="_blank" rel="noreferrer">
          {t.file(of.words)}
        </a>
      ) : (
        <p className={styles.words}>{of.words || t.noWords}</p>
      )}
      {!isFile && of.content !== of.words && <Source title={t.source} content={of.content} />}
    </section>
  )
}
