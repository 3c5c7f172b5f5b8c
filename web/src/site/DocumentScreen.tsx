import { useLocation, useNavigate } from 'react-router'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { TitledPage } from '../ui/TitledPage.tsx'
import styles from './DocumentScreen.module.css'
import { documents, text } from './text.ts'

/** /terms and /privacy: the documents that a user agrees to by registering. */
export default function DocumentScreen() {
  const which = useLocation().pathname.startsWith('/terms') ? 'terms' : 'privacy'
  const t = useText(text)
  const locale = useLocale()
  const navigate = useNavigate()
  return (
    <TitledPage title={t[which]} onBack={() => void navigate(paths.home())}>
      <main className={styles.document}>
        {documents[which][locale].map((part) => (
          <section key={part.title}>
            <h2>{part.title}</h2>
            <p>{part.words}</p>
          </section>
        ))}
      </main>
    </TitledPage>
  )
}
