import { offeredApps } from '@guildhall/wire/site/appsCookie.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { here, isInChatApp } from '../../native/environment.ts'
import { hasApp } from '../../native/openApp/appOffer.ts'
import BrowserMask from '../../native/openApp/BrowserMask.tsx'
import { loadNativeApp, openAppAloud, storeLink } from '../../native/openApp/openApp.ts'
import { shell } from '../../native/shell.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { text } from './appText.ts'

/**
 * The download button of the landing page. In the app it closes the page, and points out of the
 * browsers of chat apps on Android, which load no files. None where there is no app. commerce.md §2.
 */
export default function LandingDownload() {
  const t = useText(text)
  const [environment] = useState(here)
  const [isMasked, setMasked] = useState(false)
  const inShell = shell()
  const isOffered = hasApp(environment)
  useEffect(() => {
    if (isOffered) void loadNativeApp()
  }, [isOffered])
  if (inShell)
    return inShell.has('close_webview') ? (
      <Button kind="soft" block onPress={() => void inShell.call('close_webview', {}).catch(() => undefined)}>
        {t.closePage}
      </Button>
    ) : null
  if (environment.platform === 'desktop')
    return offeredApps(document.cookie).length > 0 ? (
      <Link className={buttonClass('soft', true)} to={paths.download()}>
        {t.download}
      </Link>
    ) : null
  if (!isOffered) return null
  const download = async () => {
    if (isInChatApp(environment) && environment.platform === 'android') return setMasked(true)
    const store = await storeLink()
    if (store) location.assign(store)
    else await openAppAloud('/')
  }
  return (
    <>
      <Button kind="soft" block onPress={() => void download()}>
        {t.download}
      </Button>
      {isMasked && <BrowserMask onClose={() => setMasked(false)} />}
    </>
  )
}
