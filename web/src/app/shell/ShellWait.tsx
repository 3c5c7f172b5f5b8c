import { useEffect, useState } from 'react'
import { useText } from '../../kit/i18n.ts'
import { Page } from '../../ui/page/Page.tsx'
import { Spinner } from '../../ui/state/Spinner.tsx'
import styles from './ShellWait.module.css'
import { text } from './shellText.ts'

/** When somebody who waits is told how it goes on, ms. */
const EXPLAIN_MS = 3_000

/** What a page shows as long as the app around it has not answered. */
export function ShellWait() {
  const t = useText(text)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), EXPLAIN_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Page>
      <main className={styles.wait}>
        <img src="/logo.svg" alt="" width={72} height={72} />
        <Spinner size={24} />
        <div role="status">
          <h1 className={styles.title}>{t.connecting}</h1>
          <p className={styles.why}>{isLong && t.slow}</p>
        </div>
      </main>
    </Page>
  )
}
