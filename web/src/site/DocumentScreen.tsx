import { siteDocument } from '@guildhall/wire/site/site.ts'
import { startText } from '@guildhall/wire/site/startText.ts'
import { Link, useLocation } from 'react-router'
import { useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Loaded } from '../ui/state/Loaded.tsx'
import styles from './DocumentPage.module.css'
import { DocumentPage } from './DocumentPage.tsx'
import { Markdown } from './Markdown.tsx'
import { text } from './text.ts'

/** /terms and /privacy: what a user agrees to by registering, the operator's words or the product's. */
export default function DocumentScreen() {
  const name = useLocation().pathname.startsWith('/terms') ? 'terms' : 'privacy'
  const t = useText(text)
  const start = useText(startText)
  const document = useRouteQuery(siteDocument, { name, locale: useLocale() })
  return (
    <DocumentPage title={start[name]} parts={[]}>
      <Loaded of={document} title={t.failed}>
        {({ locale, blocks }) => (
          <article lang={locale}>
            <Markdown blocks={blocks} />
          </article>
        )}
      </Loaded>
      <Link className={styles.more} to={paths.licenses()}>
        {start.licenses}
      </Link>
    </DocumentPage>
  )
}
