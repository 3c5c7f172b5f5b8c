import { createPortal } from 'react-dom'
import { useText } from '../../kit/i18n.ts'
import { lazy, Suspense } from '../../kit/lazy/lazy.tsx'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { text as common } from '../../kit/text.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { useModal } from '../../ui/overlay/useModal.ts'
import { here } from '../environment.ts'
import { isAppOffered } from './appOffer.ts'
import styles from './BrowserMask.module.css'
import { text } from './maskText.ts'

const WeixinOpenApp = lazy(() => loadPart(() => import('../weixin/WeixinOpenApp.tsx')))

/**
 * Overlay in the browser of a chat app: points at its menu, and offers to continue here. chat.md §4 "a mask".
 */
export default function BrowserMask(props: {
  onClose: () => void
  onContinue?: () => void
  /** What the app shows when it is opened from here. */
  path?: string
}) {
  const t = useText(text)
  const box = useModal(props.onClose)
  return createPortal(
    <div
      className={styles.mask}
      role="dialog"
      aria-modal="true"
      aria-label={t.openInBrowser}
      tabIndex={-1}
      ref={box}
    >
      <svg className={styles.arrow} viewBox="0 0 88 88" fill="none" stroke="currentColor" aria-hidden="true">
        <path
          d="M14 78C18 46 38 24 74 16M56 10l19 6-8 18"
          strokeWidth="5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <p className={styles.text}>{t.openInBrowser}</p>
      {here().browser === 'wechat' && isAppOffered() && (
        <Suspense>
          <WeixinOpenApp path={props.path ?? location.pathname} />
        </Suspense>
      )}
      {props.onContinue && (
        <button
          className={`${buttonClass('main', true)} ${styles.wide}`}
          type="button"
          onClick={props.onContinue}
        >
          {t.continueHere}
        </button>
      )}
      <button className={styles.link} type="button" onClick={props.onClose}>
        {useText(common).close}
      </button>
    </div>,
    document.body,
  )
}
