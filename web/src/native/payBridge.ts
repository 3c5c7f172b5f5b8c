/**
 * The bridges that WeChat and Alipay put into pages inside of them: paying, and closing the page. commerce.md
 * §4, §8.
 */

/**
 * How long after it is asked for a bridge may come, ms. That of Alipay is there when the page begins. chat.md
 * §8 for WeChat.
 */
export const BRIDGE_WAIT_MS = { WeixinJSBridge: 10_000, AlipayJSBridge: 1_500 } as const

interface WeixinBridge {
  invoke(call: string, params: object, done: (answer?: { readonly err_msg?: unknown }) => void): void
  call(call: string): void
}
interface AlipayBridge {
  call(call: string, params?: object, done?: (answer?: { readonly resultCode?: unknown }) => void): void
}
interface BridgeWindow {
  readonly WeixinJSBridge?: WeixinBridge
  readonly AlipayJSBridge?: AlipayBridge
}

/**
 * How a payment in WeChat ended. `other`: in no way that is known, `message` is WeChat's own; `absent`:
 * WeChat gave the page no bridge.
 */
export type WeixinPaid =
  | { readonly end: 'ok' | 'cancel' | 'fail' | 'absent' }
  | { readonly end: 'other'; readonly message: string }

const WEIXIN_ENDS = { ok: 'ok', cancel: 'cancel', fail: 'fail' } as const

/** Has WeChat ask the person to pay. Never rejects. */
export async function payInWeixin(params: Readonly<Record<string, unknown>>): Promise<WeixinPaid> {
  const bridge = await bridgeOf('WeixinJSBridge')
  if (!bridge) return { end: 'absent' }
  return new Promise((resolve) => {
    try {
      bridge.invoke('getBrandWCPayRequest', params, (answer) => {
        const message = String(answer?.err_msg ?? '')
        const [, end = ''] = /^get_brand_wcpay_request:(ok|cancel|fail)$/.exec(message) ?? []
        resolve(end ? { end: WEIXIN_ENDS[end as keyof typeof WEIXIN_ENDS] } : { end: 'other', message })
      })
    } catch (error) {
      resolve({ end: 'other', message: error instanceof Error ? error.message : '' })
    }
  })
}

/**
 * Has Alipay ask the person to pay; resolves to its code, such as `9000`. Null: Alipay gave the page no
 * bridge. Never rejects.
 */
export async function payInAlipay(orderStr: string): Promise<string | null> {
  const bridge = await bridgeOf('AlipayJSBridge')
  if (!bridge) return null
  return new Promise((resolve) => {
    try {
      bridge.call('tradePay', { orderStr }, (answer) => resolve(String(answer?.resultCode ?? '')))
    } catch {
      resolve('')
    }
  })
}

/** Whether the app around the page can close it. */
export const canCloseHost = (): boolean => Boolean(here().WeixinJSBridge ?? here().AlipayJSBridge)

/** Closes the page that WeChat or Alipay has opened for a scanned code. Elsewhere it does nothing. */
export function closeHost(): void {
  const { WeixinJSBridge, AlipayJSBridge } = here()
  if (WeixinJSBridge) WeixinJSBridge.call('closeWindow')
  else AlipayJSBridge?.call('exitApp')
}

const here = () => window as BridgeWindow

/** The bridge, as soon as it is there; null when it does not come. */
function bridgeOf<Name extends keyof BridgeWindow>(
  name: Name,
): Promise<NonNullable<BridgeWindow[Name]> | null> {
  return new Promise((resolve) => {
    const ready = `${name}Ready`
    const end = () => {
      clearTimeout(timer)
      document.removeEventListener(ready, end)
      resolve(here()[name] ?? null)
    }
    const timer = setTimeout(end, BRIDGE_WAIT_MS[name])
    document.addEventListener(ready, end)
    if (here()[name]) end()
  })
}
