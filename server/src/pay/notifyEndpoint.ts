/** Where providers send their messages. Nothing of an answer tells whether an order exists. */
import type { Endpoint } from '../kit/http/endpoints.ts'
import type { NotifyReply, PayWay } from '../outside/payment/payProvider.ts'

/** The longest message of a provider, bytes. */
const BODY_MAX = 64 * 1024

export const notifyPath = (way: PayWay | 'apple'): string => `/pay/notify/${way}`

export const notifyEndpoint = (
  way: PayWay | 'apple',
  take: (message: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    readonly body: Buffer
  }) => Promise<NotifyReply>,
): Endpoint => ({
  method: 'POST',
  path: notifyPath(way),
  bodyMax: BODY_MAX,
  run: ({ headers, body }) => take({ headers, body }),
})
