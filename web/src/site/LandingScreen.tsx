import type { Locale } from '@guildhall/wire/locale.ts'
import type { Block } from '@guildhall/wire/site/site.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { Link, useSearchParams } from 'react-router'
import { readStored } from '../kit/browser/storage.ts'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { safeRedir } from '../kit/redir.ts'
import { buttonClass } from '../ui/Button.tsx'
import { SiteLines } from '../ui/page/SiteLines.tsx'
import { usePageTitle } from '../ui/page/usePageTitle.ts'
import LandingDownload from './app/LandingDownload.tsx'
import { Blocks, Words } from './Blocks.tsx'
import styles from './LandingScreen.module.css'
import { text } from './text.ts'

export { preloadSiteLines } from '../ui/page/SiteLines.tsx'

/** The operator's words, which the server has written into the document; null: there are none. */
function operatorWords(): Readonly<Partial<Record<Locale, readonly Block[]>>> | null {
  return JSON.parse(document.getElementById('landing')?.textContent ?? 'null')
}

/** `/`: the landing page, with a link to the login. A logout and an ended session lead here. chat.md §2. */
export default function LandingScreen() {
  const t = useText(text)
  const locale = useLocale()
  const [query] = useSearchParams()
  const redir = safeRedir(query.get('redir'))
  const known = readStored('authorization') !== null
  const product = useText(siteName)
  const words = operatorWords()
  const own = words?.[locale] ?? words?.[nextLocale(locale)]
  usePageTitle(product)
  return (
    <div className={styles.landing}>
      <header className={styles.bar}>
        <button
          type="button"
          className={styles.language}
          lang={nextLocale(locale)}
          onClick={() => setLocale(nextLocale(locale))}
        >
          {t.language}
        </button>
      </header>
      <main className={styles.main}>
        <div className={styles.hero}>
          <img className={styles.logo} src="/logo.svg" alt="" />
          <h1 className={styles.product}>{product}</h1>
          <p className={styles.slogan}>{own ? <Words spans={own[0]!.spans} /> : t.slogan}</p>
          <div className={styles.about}>{own ? <Blocks blocks={own.slice(1)} /> : <p>{t.about}</p>}</div>
        </div>
        <div className={styles.act}>
          {redir && !known && (
            <p className={styles.ended} role="status">
              {t.ended}
            </p>
          )}
          <Link
            className={buttonClass('main', true)}
            to={known ? (redir ?? paths.channels()) : paths.login(redir ?? undefined)}
          >
            {known ? t.enter : t.login}
          </Link>
          <LandingDownload />
        </div>
      </main>
      <footer className={styles.footer}>
        <Link to={paths.terms()}>{t.terms}</Link>
        <Link to={paths.privacy()}>{t.privacy}</Link>
        <Link to={paths.licenses()}>{t.licenses}</Link>
        <SiteLines />
      </footer>
    </div>
  )
}
