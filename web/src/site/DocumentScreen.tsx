import { Link, useLocation } from 'react-router'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import styles from './DocumentPage.module.css'
import { DocumentPage } from './DocumentPage.tsx'
import { documents, text } from './text.ts'

/** /terms and /privacy: the documents that a user agrees to by registering. */
export default function DocumentScreen() {
  const which = useLocation().pathname.startsWith('/terms') ? 'terms' : 'privacy'
  const t = useText(text)
  const locale = useLocale()
  return (
    <DocumentPage title={t[which]} parts={documents[which][locale]}>
      <Link className={styles.more} to={paths.licenses()}>
        {t.licenses}
      </Link>
    </DocumentPage>
  )
}
