/** In whose window the page is open. The in-app browsers of chat apps cannot keep a person: their cookies and
 * storage go with the window. chat.md §4 "In the in-app browser of a chat app". */
export type Host = 'wechat' | 'qq' | 'browser'

/** Told from the user agent: `MicroMessenger` is WeChat, ` QQ/` is QQ itself (QQ's browser says `MQQBrowser` only). */
export function hostOf(userAgent: string): Host {
  if (/MicroMessenger/i.test(userAgent)) return 'wechat'
  if (/\bQQ\/\d/i.test(userAgent)) return 'qq'
  return 'browser'
}
