import { type KeptLevel, levelOf, monthAndDay } from '@guildhall/wire/boost/trend.ts'
import { useText } from '../kit/i18n.ts'
import styles from './Boost.module.css'
import { text } from './text.ts'

/**
 * That a guild keeps a level for which it has too few packs, and until when. Nothing while they are enough.
 */
export function Grace({ day }: { day: KeptLevel & { readonly count: number } }) {
  const t = useText(text)
  if (!day.kept_until) return null
  return (
    <p className={styles.grace}>{t.grace(day.kept_level, monthAndDay(day.kept_until), levelOf(day.count))}</p>
  )
}
