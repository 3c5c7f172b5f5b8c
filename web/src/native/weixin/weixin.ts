/**
 * WeChat's JS-SDK, loaded inside of WeChat alone: what its menu shares of a page, and its tag that opens the
 * app. chat.md §7 "wx-sign", §8.
 */
import { wxSign } from '@guildhall/wire/auth/thirdParty.ts'
import wx from 'weixin-js-sdk'
import { CallFailure, call } from '../../kit/call.ts'

/** The SDK answers within this time, ms, or it is not there. chat.md §8. */
const READY_WITHIN_MS = 10_000

/**
 * unsigned: the server does not sign this page; refused: WeChat does not accept it; timeout: no answer. The
 * page works without it.
 */
export class WeixinFailure extends Error {
  override readonly name = 'WeixinFailure'
  readonly reason: 'unsigned' | 'refused' | 'timeout'
  constructor(reason: WeixinFailure['reason'], detail = '') {
    super(`WeChat's JS-SDK: ${reason} ${detail}`)
    this.reason = reason
  }
}

let configured: { readonly url: string; readonly ready: Promise<void> } | null = null

/**
 * Resolves when the SDK may be used on this page. Android checks the address that is shown, iOS the one that
 * the page was loaded with.
 * @throws WeixinFailure
 */
export function weixinReady(): Promise<void> {
  const url = signedAddress(navigator.userAgent, location.href, entryAddress())
  if (configured?.url !== url) {
    const ready = configure(url)
    configured = { url, ready }
    ready.catch(() => {
      // Another page, or another try, asks again.
      configured = null
    })
  }
  return configured.ready
}

async function configure(url: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new WeixinFailure('timeout')), READY_WITHIN_MS)
  })
  const ready = async () => {
    const signed = await call(wxSign, { url }).catch((error: unknown) => {
      throw new WeixinFailure('unsigned', error instanceof CallFailure ? error.name : '')
    })
    await new Promise<void>((resolve, reject) => {
      // First: the SDK calls `ready` for a refusal too, after this.
      wx.error(({ errMsg }) => reject(new WeixinFailure('refused', errMsg)))
      wx.config({
        ...signed,
        debug: false,
        jsApiList: ['updateAppMessageShareData', 'updateTimelineShareData'],
        openTagList: ['wx-open-launch-app'],
      })
      wx.ready(resolve)
    })
  }
  await Promise.race([ready(), late]).finally(() => clearTimeout(timer))
}

/** What WeChat's menu shares. */
export interface Shared {
  readonly title: string
  readonly desc: string
  readonly link: string
  readonly imgUrl: string
}

/**
 * What is shared of a page: what the server wrote for chat apps into an invite's page, else its title. The
 * address has no query: it may name what is the reader's alone.
 */
export function sharedOf(
  page: Document,
  { origin, pathname }: Pick<Location, 'origin' | 'pathname'>,
): Shared {
  const meta = (key: string) =>
    page.querySelector(`meta[property="og:${key}"]`)?.getAttribute('content') ?? ''
  const link = `${origin}${pathname}`
  // The page may have gone on to another address since it was loaded.
  const isOwn = meta('url') !== '' && new URL(meta('url'), origin).pathname === pathname
  const description = page.querySelector('meta[name="description"]')?.getAttribute('content') ?? ''
  return {
    title: (isOwn && meta('title')) || page.title,
    desc: isOwn ? meta('description') : description,
    link,
    imgUrl: (isOwn && meta('image')) || `${origin}/share.png`,
  }
}

/** The address whose signature is checked, without its fragment. */
export const signedAddress = (userAgent: string, shown: string, entry: string): string =>
  (/iPhone|iPad|iPod/.test(userAgent) ? entry : shown).replace(/#.*/, '')

/** The address that the page was loaded with. */
function entryAddress(): string {
  const [entry] = performance.getEntriesByType('navigation')
  return entry?.name || location.href
}

/** Titles change in several steps; the last one counts, ms. */
const TITLE_SETTLES_MS = 400

/**
 * Keeps what WeChat's menu shares up to date with the page that is shown. Failures leave WeChat's own choice.
 */
export function followSharing(): void {
  let last = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const share = async () => {
    const shared = sharedOf(document, location)
    const next = JSON.stringify(shared)
    if (next === last) return
    last = next
    try {
      await weixinReady()
      const success = () => undefined
      wx.updateAppMessageShareData({ ...shared, success })
      const { desc: _, ...timeline } = shared
      wx.updateTimelineShareData({ ...timeline, success })
    } catch {
      // The next title tries again.
      last = ''
    }
  }
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void share(), TITLE_SETTLES_MS)
  }
  new MutationObserver(later).observe(document.head, { childList: true, subtree: true, characterData: true })
  later()
}
