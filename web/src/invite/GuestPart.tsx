import type { Invite } from '@guildhall/wire/invite/invite.ts'
import { useEffect } from 'react'
import { isLoggedIn } from '../auth/auth.ts'
import { useText } from '../kit/i18n.ts'
import { isAppOffered } from '../native/openApp/appOffer.ts'
import BrowserMask from '../native/openApp/BrowserMask.tsx'
import { prepareAccepting } from './accepting.ts'
import styles from './GuestPart.module.css'
import { text } from './guestText.ts'

/**
 * What the landing shows to guests beside its button: the mask, and, where the button opens the app, the way
 * to join on the web. Loads what the button needs.
 */
export default function GuestPart(props: {
  invite: Invite
  isOnWeb: boolean
  isMasked: boolean
  show: (what: 'register' | null) => void
}) {
  const t = useText(text)
  const { invite, isOnWeb, show } = props
  useEffect(() => void prepareAccepting({ invite, isOnWeb }), [invite, isOnWeb])
  return (
    <>
      {!isOnWeb && !isLoggedIn() && isAppOffered() && (
        <button className={styles.link} type="button" onClick={() => show('register')}>
          {t.onWeb}
        </button>
      )}
      {props.isMasked && <BrowserMask onClose={() => show(null)} onContinue={() => show('register')} />}
    </>
  )
}
