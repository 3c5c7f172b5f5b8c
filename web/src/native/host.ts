/**
 * The app whose browser shows the page. In-app browsers of chat apps cannot keep a login: their cookies and storage are
 * deleted with the window. chat.md §4 "In the in-app browser of a chat app".
 */
export type Host = 'wechat' | 'qq' | 'browser'

/** Detects it by the user agent: `MicroMessenger` is WeChat, ` QQ/` is QQ itself (QQ's browser sends `MQQBrowser` only). */
export function hostOf(userAgent: string): Host {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat'
  if (/\bQQ\/\d/i.test(userAgent)) return 'qq'
  return 'browser'
}
