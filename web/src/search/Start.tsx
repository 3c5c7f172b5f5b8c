import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { ClockIcon, CloseIcon } from '../ui/icon/icons.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { SearchDrawing } from './drawings.tsx'
import { forgetSearch, recentSearches } from './recent.ts'
import styles from './SearchScreen.module.css'
import { text } from './text.ts'

/** Before anything is typed: what was searched for lately, or what can be typed. */
export function Start({ onSearch }: { onSearch: (q: string) => void }) {
  const t = useText(text)
  const [recent, setRecent] = useState(recentSearches)
  const forget = (q?: string) => {
    forgetSearch(q)
    setRecent(recentSearches())
  }
  if (recent.length === 0) return <EmptyState icon={<SearchDrawing />} title={t.start} message={t.startWhy} />
  return (
    <section aria-label={t.recent}>
      <div className={styles.recentHead}>
        <h2 className={styles.day}>{t.recent}</h2>
        <button type="button" className={styles.forgetAll} onClick={() => forget()}>
          {t.forgetAll}
        </button>
      </div>
      <ul>
        {recent.map((q) => (
          <li key={q} className={styles.recent}>
            <button type="button" className={styles.recentWords} data-part="hit" onClick={() => onSearch(q)}>
              <span className={styles.recentSign}>
                <ClockIcon size={18} />
              </span>
              <span className={styles.recentText}>{q}</span>
            </button>
            <IconButton label={t.forget(q)} onPress={() => forget(q)}>
              <CloseIcon size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
