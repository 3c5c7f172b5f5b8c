import { diffChars, diffWordsWithSpace } from 'diff'
import styles from './TextDiff.module.css'

/** Texts up to this length are compared character by character, longer ones by words. */
const BY_CHARACTERS = 24

/**
 * Words of Chinese have no spaces between them: the browser knows where they end. Null: it does not, and
 * characters are compared.
 */
const segmenter = 'Segmenter' in Intl ? new Intl.Segmenter('zh', { granularity: 'word' }) : null

interface Part {
  readonly value: string
  readonly added: boolean
  readonly removed: boolean
}

/** How one text becomes another. */
export function partsOf(before: string, after: string): readonly Part[] {
  const isShort = Math.max(before.length, after.length) <= BY_CHARACTERS
  return isShort || !segmenter
    ? diffChars(before, after)
    : diffWordsWithSpace(before, after, { intlSegmenter: segmenter })
}

/** One side of a change: what the other side does not have is marked. */
export function TextDiff(props: { before: string; after: string; side: 'before' | 'after' }) {
  const isAfter = props.side === 'after'
  const Mark = isAfter ? 'ins' : 'del'
  const shown = partsOf(props.before, props.after).filter((part) => !(isAfter ? part.removed : part.added))
  // What comes before a part tells it from equal ones.
  const placed = shown.map((part, at) => ({
    ...part,
    key: shown
      .slice(0, at)
      .map(({ value }) => value)
      .join('').length,
  }))
  return (
    <p className={styles.text} data-side={props.side}>
      {placed.map(({ key, value, added, removed }) =>
        added || removed ? <Mark key={key}>{value}</Mark> : <span key={key}>{value}</span>,
      )}
    </p>
  )
}
