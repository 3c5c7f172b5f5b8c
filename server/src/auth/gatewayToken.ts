/** Gateway tokens: signed, short-lived, and part of the gateway's address. protocol.md §2.2. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UserId } from '@guildhall/wire/id.ts'
import { MINUTE_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'

/** How long a gateway token is valid. */
export const GATEWAY_TOKEN_MS = 10 * MINUTE_MS

/** The owner of the connection: a session of a person or a bot. */
export interface ConnectionOwner {
  readonly sessionId: string
  readonly userId: UserId
  readonly isBot: boolean
}

/** The end of a bot's token. */
const BOT_SUFFIX = '.bot'

export class GatewayTokens {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** A token as a query value. */
  write({ sessionId, userId, isBot }: ConnectionOwner): string {
    const content = `${clock.now() + GATEWAY_TOKEN_MS}.${userId}.${sessionId}${isBot ? BOT_SUFFIX : ''}`
    return `${content}.${this.#sign(content)}`
  }

  /** The owner of a token. The caller checks that their session is still valid. */
  read(token: string): ConnectionOwner | 'bad' | 'expired' {
    const end = token.lastIndexOf('.')
    const content = token.slice(0, end)
    const wanted = Buffer.from(this.#sign(content))
    const given = Buffer.from(token.slice(end + 1))
    if (end < 0 || given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'bad'
    const [expires, userId, sessionId] = content.split('.')
    if (!expires || !userId || !sessionId) return 'bad'
    if (Number(expires) <= clock.now()) return 'expired'
    return { sessionId, userId: userId as UserId, isBot: content.endsWith(BOT_SUFFIX) }
  }

  /**
   * The gateway's address, `ws://…/gateway?compress=1&token=…`: it has a query, so parameters can be
   * appended.
   */
  url(origin: string, owner: ConnectionOwner, compress: 0 | 1 = 1): string {
    return `${origin.replace(/^http/, 'ws')}/gateway?compress=${compress}&token=${this.write(owner)}`
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url')
  }
}
