import { useEffect, useRef, useState } from 'react'
import { currentText, useText } from '../../kit/i18n.ts'
import { loadPart } from '../../kit/lazy/lazyPart.ts'
import { appTarget, loadNativeApp } from '../openApp/openApp.ts'
import { text } from '../text.ts'
import styles from './WeixinOpenApp.module.css'

/**
 * Inside of WeChat, where the operator linked the app to an account there (`WECHAT_OPEN_APP_ID`): the button
 * that opens the app, which WeChat itself draws. Nothing until WeChat accepts the page. `path`: what the app
 * shows; it gets it as `extinfo`. Loaded in WeChat alone, where there is an app.
 */
export default function WeixinOpenApp({ path }: { path: string }) {
  const t = useText(text)
  const container = useRef<HTMLDivElement>(null)
  const [appId, setAppId] = useState('')
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    const hide = () => setAppId('')
    // A version of WeChat or of the system that draws no such tags.
    document.addEventListener('WeixinOpenTagsError', hide)
    void readyApp().then((id) => {
      if (!isGone) setAppId(id)
    })
    return () => {
      isGone = true
      document.removeEventListener('WeixinOpenTagsError', hide)
    }
  }, [])
  useEffect(() => {
    if (appId === '') return
    const tag = openTag(appId, appTarget(path))
    tag.addEventListener('error', () => setFailed(true))
    container.current?.replaceChildren(tag)
  }, [appId, path])
  if (appId === '') return null
  return (
    <>
      <div className={styles.container} data-part="weixin-open-app" ref={container} />
      <p className={styles.failed} role="status">
        {hasFailed && t.notOpened}
      </p>
    </>
  )
}

/**
 * The app's id at WeChat, once WeChat accepts this page; empty without an app there, or when it does not.
 * Never rejects.
 */
async function readyApp(): Promise<string> {
  const app = await loadNativeApp()
  if (!app?.wechatId) return ''
  const weixin = await loadPart(() => import('./weixin.ts'))
  return weixin.weixinReady().then(
    () => app.wechatId,
    () => '',
  )
}

/** The tag. What it draws is apart from the page: neither its styles nor its variables reach there. */
function openTag(appId: string, target: string): HTMLElement {
  const tag = document.createElement('wx-open-launch-app')
  tag.setAttribute('appid', appId)
  tag.setAttribute('extinfo', target)
  const template = document.createElement('script')
  template.type = 'text/wxtag-template'
  template.text = `<style>${BUTTON}</style><button class="open">${currentText(text).openApp}</button>`
  tag.append(template)
  return tag
}

/** As a soft button of dark pages: the mask is dark in both themes, and its main button goes on here. */
const BUTTON =
  '.open{display:block;width:100%;height:54px;border:0;border-radius:27px;background:#173328;color:#3fd39a;font:600 17px system-ui,sans-serif}'
