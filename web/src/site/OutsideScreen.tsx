import { Fragment, useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isLoggedIn } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { shell } from '../native/shell.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { LinkIcon } from '../ui/icon/laterIcons.tsx'
import { Page } from '../ui/page/Page.tsx'
import { useProductTitle } from '../ui/page/useProductTitle.ts'
import { ErrorState } from '../ui/state/ErrorState.tsx'
import styles from './OutsideScreen.module.css'
import { type OutsideSite, outsideTarget } from './outsideTarget.ts'
import { text } from './outsideText.ts'

/**
 * /go-wild?url=: warns before an address of another site is opened. Nothing goes on by itself; the server
 * passes on to trusted hosts before the page is shown. commerce.md §2.
 */
export default function OutsideScreen() {
  const t = useText(text)
  const [query] = useSearchParams()
  const target = outsideTarget(query.getAll('url'))
  useProductTitle(t.page)
  if (!('refused' in target)) return <Warning site={target} />
  const [title, why] = {
    missing: [t.missing, t.missingWhy],
    bad: [t.bad, t.badWhy],
    login: [t.login, t.loginWhy('host' in target ? target.host : '')],
  }[target.refused] as [string, string]
  return (
    <Page>
      <ErrorState page title={title} message={why} />
      <div className={`${styles.ways} ${styles.below}`}>
        <Back kind="main" />
      </div>
    </Page>
  )
}

function Warning({ site: { href, host, looksLike, shown, isEncrypted } }: { site: OutsideSite }) {
  const t = useText(text)
  return (
    <Page>
      <main className={styles.page}>
        <div className={styles.hero}>
          <span className={styles.art}>
            <LinkIcon size={32} />
          </span>
          <h1 className={styles.title}>{t.leaving}</h1>
          <p className={styles.careful}>{t.careful}</p>
          <dl className={styles.target}>
            <div>
              <dt>{t.host}</dt>
              <dd className={styles.host} data-part="outside-host" dir="ltr">
                {host.split('.').map((label, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the labels of one host never move
                  <Fragment key={at}>
                    {at > 0 && '.'}
                    {at > 0 && <wbr />}
                    {label}
                  </Fragment>
                ))}
              </dd>
            </div>
            <div>
              <dt>{t.address}</dt>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long address is scrolled with keys */}
              <dd className={styles.address} data-part="outside-address" dir="ltr" tabIndex={0}>
                {shown}
              </dd>
            </div>
          </dl>
          {looksLike !== null && <p className={styles.notice}>{t.looksLike(`\u2068${looksLike}\u2069`)}</p>}
          {!isEncrypted && <p className={styles.notice}>{t.notEncrypted}</p>}
        </div>
        <div className={styles.ways}>
          <a
            className={buttonClass(looksLike === null ? 'main' : 'soft', true)}
            href={href}
            rel="noopener noreferrer nofollow"
          >
            {t.goOn}
          </a>
          <Back kind={looksLike === null ? 'plain' : 'main'} />
        </div>
      </main>
    </Page>
  )
}

/** When a page that did not go back has nowhere to go back to, ms. */
const NOWHERE_MS = 500

/**
 * Goes back to where the link was: to the page before, else to the tab that opened this one, else into the
 * product.
 */
function Back({ kind }: { kind: 'plain' | 'main' }) {
  const navigate = useNavigate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    const stop = () => clearTimeout(timer.current)
    addEventListener('pagehide', stop)
    return () => {
      removeEventListener('pagehide', stop)
      stop()
    }
  }, [])
  const leave = () => {
    const around = shell()
    if (history.length > 1) history.back()
    else if (around?.has('close_webview')) void around.call('close_webview', {}).catch(() => undefined)
    else window.close()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      void navigate(isLoggedIn() ? paths.channels() : paths.home(), { replace: true })
    }, NOWHERE_MS)
  }
  return (
    <Button kind={kind} block onPress={leave}>
      {useText(text).back}
    </Button>
  )
}
