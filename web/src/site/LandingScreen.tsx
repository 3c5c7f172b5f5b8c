import './site.css'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import { nextLocale, setLocale, useLocale, useText } from '../kit/i18n.ts'
import { paths, safeRedir } from '../kit/paths.ts'
import { readStored } from '../kit/storage.ts'
import { text } from './text.ts'

/** `/`: what this is, and the way in. Also where a logout and an ended session lead. chat.md §2. */
export default function LandingScreen() {
  const t = useText(text)
  const locale = useLocale()
  const [query] = useSearchParams()
  const redir = safeRedir(query.get('redir'))
  const known = readStored('authorization') !== null
  useEffect(() => {
    document.title = t.product
  }, [t])
  return (
    <div className="landing">
      <header className="landing-bar">
        <button
          type="button"
          className="landing-language"
          lang={nextLocale(locale)}
          onClick={() => setLocale(nextLocale(locale))}
        >
          {t.language}
        </button>
      </header>
      <main className="landing-main">
        <div className="landing-hero">
          <img className="landing-logo" src="/logo.svg" alt="" />
          <h1 className="landing-product">{t.product}</h1>
          <p className="landing-slogan">{t.slogan}</p>
          <p className="landing-about">{t.about}</p>
        </div>
        <div className="landing-act">
          {redir && !known && (
            <p className="landing-ended" role="status">
              {t.ended}
            </p>
          )}
          <Link
            className="button button-main button-block"
            to={known ? (redir ?? paths.channels()) : paths.login(redir ?? undefined)}
          >
            {known ? t.enter : t.login}
          </Link>
        </div>
      </main>
      <footer className="landing-footer">
        <Link to={paths.terms()}>{t.terms}</Link>
        <Link to={paths.privacy()}>{t.privacy}</Link>
      </footer>
    </div>
  )
}
