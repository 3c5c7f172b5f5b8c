/** Where the page is shown. chat.md §1 and §4, commerce.md §2. */

/** The app whose browser shows the page; `safari`: Safari itself on iOS; `other`: any other browser. */
export type Browser = 'wechat' | 'qq' | 'alipay' | 'weibo' | 'dingtalk' | 'safari' | 'other'

export interface Environment {
  readonly platform: 'ios' | 'android' | 'desktop'
  /** Whether a native shell put its object into the page, and may answer. */
  readonly hasShell: boolean
  readonly browser: Browser
}

/** What tells it: the browser's names and what a shell put into the page. */
export interface EnvironmentSigns {
  readonly userAgent: string
  /** Simultaneous touches that the screen knows. */
  readonly touchPoints: number
  /**
   * `window.webkit.messageHandlers.guildhall` or `window.GuildhallNative`, or an allowed frame around the
   * page.
   */
  readonly hasShellObject: boolean
}

/**
 * The apps by their names, in the order of `IN_APP`'s groups. QQ's own browser is `MQQBrowser` alone; inside
 * of QQ ` QQ/` follows.
 */
const APPS = ['wechat', 'alipay', 'dingtalk', 'weibo', 'qq'] as const
const IN_APP = /(MicroMessenger)|(AlipayClient)|(DingTalk)|(Weibo)|\b(QQ)\/\d/i

/** All other browsers of iOS add a name of their own to Safari's. */
const SAFARI = /\bVersion\/[\d.]+(?: Mobile\/\w+)? Safari\/[\d.]+$/

/** Detects the environment. iPads ask for pages as Macs do, but have a touch screen. */
export function environmentOf({ userAgent, touchPoints, hasShellObject }: EnvironmentSigns): Environment {
  // A desk with HarmonyOS says `(PC; OpenHarmony …`.
  const platform = /Android|^(?!.*\(PC;).*Harmony/.test(userAgent)
    ? 'android'
    : /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && touchPoints > 1)
      ? 'ios'
      : 'desktop'
  const app = APPS[IN_APP.exec(userAgent)?.slice(1).findIndex(Boolean) ?? -1]
  const isSafari = platform === 'ios' && SAFARI.test(userAgent)
  return { platform, hasShell: hasShellObject, browser: app ?? (isSafari ? 'safari' : 'other') }
}

/** What shells put into the page. docs/native.md. */
interface ShellWindow {
  readonly webkit?: { readonly messageHandlers?: { readonly guildhall?: unknown } }
  readonly GuildhallNative?: unknown
}

/** The environment of this page. */
export function here(): Environment {
  const { webkit, GuildhallNative } = window as ShellWindow
  const { userAgent, maxTouchPoints } = navigator
  return environmentOf({
    userAgent,
    touchPoints: maxTouchPoints,
    // Only the reference shell of a development server may frame a page: its header refuses all others.
    hasShellObject: Boolean(webkit?.messageHandlers?.guildhall ?? GuildhallNative) || parent !== window,
  })
}

/**
 * Whether the page is in the browser of an app that people chat in. These cannot keep a login: their cookies
 * and storage are deleted with the window, and they open no other app.
 */
export const isInChatApp = ({ browser }: Environment): boolean => browser !== 'safari' && browser !== 'other'
