import { useEffect, useState } from 'react'
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { paths } from '../../kit/paths.ts'
import { safeRedir } from '../../kit/redir.ts'
import { text as commonText } from '../../kit/text.ts'
import { here, isInChatApp } from '../../native/environment.ts'
import BrowserMask from '../../native/openApp/BrowserMask.tsx'
import { text as maskText } from '../../native/openApp/maskText.ts'
import { loadNativeApp, type NativeApp, WAITS } from '../../native/openApp/openApp.ts'
import { shell } from '../../native/shell.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Page } from '../../ui/page/Page.tsx'
import { useProductTitle } from '../../ui/page/useProductTitle.ts'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { ErrorState } from '../../ui/state/ErrorState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import styles from './AppPages.module.css'
import { text } from './appText.ts'
import { DownloadDrawing } from './drawings.tsx'

const QrPicture = lazy(() => loadPart(() => import('../../ui/picture/QrPicture.tsx')))

/**
 * The state of the history entry once the download was opened: Back from the store must not open it again.
 */
interface OpenedState {
  readonly opened?: boolean
}

/**
 * /download: opens the store on a phone and leads on to `from`; on a desk shows the stores. chat.md §2
 * "Download redirect page".
 */
export default function DownloadScreen() {
  const t = useText(text)
  const tCommon = useText(commonText)
  const [query] = useSearchParams()
  const asked = safeRedir(query.get('from')) ?? paths.home()
  const from = asked.startsWith('/download') ? paths.home() : asked
  const wasOpened = (useLocation().state as OpenedState | null)?.opened === true
  const [app, setApp] = useState<NativeApp | null | 'loading'>('loading')
  const [tries, setTries] = useState(0)
  useProductTitle(t.download)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    setApp('loading')
    void loadNativeApp().then(setApp)
  }, [tries])

  const { platform } = here()
  if (shell() || (wasOpened && platform !== 'desktop')) return <Navigate to={from} replace />
  if (app === 'loading')
    return (
      <Page>
        <LoadingState page {...(platform !== 'desktop' && { message: t.downloading })} />
      </Page>
    )
  if (!app)
    return (
      <Page>
        <ErrorState
          page
          title={t.failed}
          message={tCommon.networkWhy}
          onRetry={() => setTries((now) => now + 1)}
        />
        <div className={styles.ways}>
          <GoOn to={from} />
        </div>
      </Page>
    )
  const store = platform === 'desktop' ? null : app.stores[platform]
  if (store && platform === 'android' && isInChatApp(here())) return <Blocked from={from} />
  if (store) return <Leaving store={store} from={from} />
  if (platform === 'desktop' && (app.stores.ios || app.stores.android))
    return <Stores stores={app.stores} from={from} />
  return (
    <Page>
      <EmptyState
        page
        icon={<DownloadDrawing />}
        title={t.noApp}
        message={t.noAppWhy}
        action={
          <Link className={buttonClass('main')} to={from} replace>
            {t.goOn}
          </Link>
        }
      />
    </Page>
  )
}

const GoOn = ({ to }: { to: string }) => (
  <Link className={buttonClass('plain')} to={to} replace>
    {useText(text).goOn}
  </Link>
)

/** Opens the store, and a second later the page that the download was asked on. */
function Leaving({ store, from }: { store: string; from: string }) {
  const t = useText(text)
  const navigate = useNavigate()
  useEffect(() => {
    history.replaceState({ ...history.state, usr: { opened: true } satisfies OpenedState }, '')
    location.assign(store)
    const timer = setTimeout(() => void navigate(from, { replace: true }), WAITS.download)
    return () => clearTimeout(timer)
  }, [store, from, navigate])
  return (
    <Page>
      <LoadingState page message={t.downloading} />
      <div className={`${styles.ways} ${styles.below}`}>
        <a className={buttonClass('soft', true)} href={store}>
          {t.notStarted}
        </a>
        <GoOn to={from} />
      </div>
    </Page>
  )
}

/** In the browsers of chat apps on Android, which load no files and open no stores. */
function Blocked({ from }: { from: string }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [isMasked, setMasked] = useState(true)
  return (
    <Page>
      <EmptyState
        page
        icon={<DownloadDrawing />}
        title={t.blocked}
        message={useText(maskText).openInBrowser}
        action={<GoOn to={from} />}
      />
      {isMasked && (
        <BrowserMask
          onClose={() => setMasked(false)}
          onContinue={() => void navigate(from, { replace: true })}
        />
      )}
    </Page>
  )
}

/** The stores, for the phone beside the desk. */
function Stores({ stores, from }: { stores: NativeApp['stores']; from: string }) {
  const t = useText(text)
  const shown = (['ios', 'android'] as const).flatMap((it) => (stores[it] ? [[it, stores[it]] as const] : []))
  return (
    <Page>
      <main className={styles.page}>
        <div className={styles.hero}>
          <img className={styles.icon} src="/logo.svg" alt="" width={72} height={72} />
          <h1 className={styles.title}>{t.scan}</h1>
          <p className={styles.why}>{t.scanWhy}</p>
          <ul className={styles.stores}>
            {shown.map(([platform, store]) => {
              const name = platform === 'ios' ? 'iOS' : 'Android'
              return (
                <li key={platform} className={styles.store}>
                  <div className={styles.qr}>
                    <Suspense>
                      <QrPicture text={store} label={t.qr(name)} />
                    </Suspense>
                  </div>
                  <a className={buttonClass('plain')} href={store}>
                    {name}
                  </a>
                </li>
              )
            })}
          </ul>
        </div>
        <div className={styles.ways}>
          <GoOn to={from} />
        </div>
      </main>
    </Page>
  )
}
