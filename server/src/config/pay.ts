/** Reads the variables of payments. */

/** A merchant at WeChat Pay (API v3). Keys are PEM. */
export interface WechatPayConfig {
  /** `mchid`. */
  readonly merchant: string
  /** The official account whose pages are inside of WeChat. */
  readonly appId: string
  /** The native app's; null without one. */
  readonly openAppId: string | null
  /** The merchant's certificate serial and private key, with which calls are signed. */
  readonly serial: string
  readonly privateKey: string
  /** 32 characters: notifications are encrypted with it. */
  readonly apiV3Key: string
  /** WeChat's public key and its id, `PUB_KEY_ID_…`; null: platform certificates are downloaded. */
  readonly publicKey: { readonly id: string; readonly pem: string } | null
  /** Another address of the API, for the sandbox; null: WeChat's own. */
  readonly endpoint: string | null
}

/** An application at Alipay's open platform. Keys are PEM or bare base64. */
export interface AlipayConfig {
  readonly appId: string
  /** The seller's id (`seller_id`, `2088…`). */
  readonly merchant: string
  readonly privateKey: string
  readonly alipayPublicKey: string
  /** Another address of the gateway, for the sandbox; null: Alipay's own. */
  readonly endpoint: string | null
}
