import { useText } from '../../kit/i18n.ts'
import styles from './BuffSince.module.css'
import { text } from './text.ts'

/** Since when a member of BUFF is one without a gap, ms; undefined while it is not known. */
export function BuffSince({ at }: { at: number | undefined }) {
  const t = useText(text)
  return (
    <p className={styles.since} data-part="buff-since">
      {at === undefined ? t.buff : t.buffSince(new Date(at))}
    </p>
  )
}
