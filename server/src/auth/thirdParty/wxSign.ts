/**
 * Signs pages for WeChat's JS-SDK ("JS-SDK使用权限签名算法"). Its token and ticket are renewed once for all nodes.
 * chat.md §7.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from '@guildhall/wire/failure.ts'
import { MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../../kit/clock.ts'
import type { Db } from '../../kit/database/db.ts'
import { ids } from '../../kit/ids.ts'
import type { Log } from '../../kit/log.ts'
import { PROVIDER_TIMEOUT_MS, ThirdPartyFailed } from '../../outside/login/thirdParty.ts'
import type { Granted, WeixinTickets } from '../../outside/login/weixin.ts'
import * as rows from './thirdPartySql.ts'

/** A grant is renewed this long before its end, while the old one is still given out. */
const RENEW_BEFORE_MS = 5 * MINUTE_MS
/** A node that died while it renewed keeps the others from it for this long. */
const LEASE_MS = 2 * PROVIDER_TIMEOUT_MS
const LOOK_AGAIN_MS = 100
/** "全局返回码": the access token is wrong, not the latest, or over. */
const ENDED_TOKEN: ReadonlySet<string> = new Set(['40001', '40014', '42001'])

export interface SignedPage {
  readonly appId: string
  /** Seconds. */
  readonly timestamp: number
  readonly nonceStr: string
  readonly signature: string
}

export class WxSigner {
  readonly #db: Db
  readonly #tickets: WeixinTickets | null
  readonly #log: Pick<Log, 'warn'> | undefined

  constructor(db: Db, tickets: WeixinTickets | null, log?: Pick<Log, 'warn'>) {
    this.#db = db
    this.#tickets = tickets
    this.#log = log
  }

  /**
   * `origin`: the public address of the server.
   * @throws Failure auth.third_part_off, auth.page_elsewhere, auth.third_part_failed
   */
  async sign(address: string, origin: string): Promise<SignedPage> {
    const tickets = this.#tickets
    if (!tickets) throw fail('auth.third_part_off')
    const page = pageOf(address, origin)
    const signal = AbortSignal.timeout(PROVIDER_TIMEOUT_MS)
    try {
      const ticket = await this.#grant(`weixin ticket ${tickets.appId}`, signal, async () => {
        const name = `weixin token ${tickets.appId}`
        const token = () => this.#grant(name, signal, () => tickets.accessToken(signal))
        try {
          return await tickets.ticket(await token(), signal)
        } catch (error) {
          if (!(error instanceof ThirdPartyFailed && ENDED_TOKEN.has(error.code))) throw error
          // Somebody else asked for a token of this application, which ended ours.
          await rows.storeGrant(this.#db, name, { value: '', expires_at: 0 })
          return await tickets.ticket(await token(), signal)
        }
      })
      const [timestamp, nonceStr] = [Math.floor(clock.now() / SECOND_MS), ids.token().slice(0, 16)]
      return {
        appId: tickets.appId,
        timestamp,
        nonceStr,
        signature: signatureOf({ ticket, nonceStr, timestamp, page }),
      }
    } catch (error) {
      if (!(error instanceof ThirdPartyFailed)) throw error
      this.#log?.warn({ err: error }, 'pages cannot be signed for WeChat')
      throw Object.assign(fail('auth.third_part_failed'), { cause: error })
    }
  }

  /** A valid grant, renewed by whichever node comes first. @throws ThirdPartyFailed */
  async #grant(name: string, signal: AbortSignal, ask: () => Promise<Granted>): Promise<string> {
    while (!signal.aborted) {
      const now = clock.now()
      const endsBefore = now + RENEW_BEFORE_MS
      const known = await rows.readGrant(this.#db, name)
      if (known.expires_at >= endsBefore) return known.value
      if (await rows.leaseGrant(this.#db, name, { now, endsBefore, until: now + LEASE_MS }))
        return this.#renew(name, known, ask)
      if (known.expires_at > now) return known.value
      await sleep(LOOK_AGAIN_MS)
    }
    throw new ThirdPartyFailed('weixin', 'was not asked in time by another node')
  }

  async #renew(name: string, known: rows.GrantRow, ask: () => Promise<Granted>): Promise<string> {
    try {
      const { value, expiresInSeconds } = await ask()
      await rows.storeGrant(this.#db, name, { value, expires_at: clock.now() + expiresInSeconds * SECOND_MS })
      return value
    } catch (error) {
      await rows.storeGrant(this.#db, name, null)
      if (error instanceof ThirdPartyFailed && known.expires_at > clock.now()) return known.value
      throw error
    }
  }
}

/** The address of a page of this site without its fragment. @throws Failure auth.page_elsewhere */
function pageOf(address: string, origin: string): string {
  const url = URL.canParse(address) ? new URL(address) : null
  // What is signed is the text that the browser shows, so it is not rewritten.
  const page = address.split('#', 1)[0] ?? ''
  const isOurs = url?.origin === origin && url.username === '' && url.password === ''
  if (
    !isOurs ||
    !(page === origin || page.startsWith(`${origin}/`) || page.startsWith(`${origin}?`)) ||
    /\s/.test(page)
  )
    throw fail('auth.page_elsewhere')
  return page
}

/** The names in the order of the alphabet, SHA-1. */
export const signatureOf = (input: {
  readonly ticket: string
  readonly nonceStr: string
  readonly timestamp: number
  readonly page: string
}): string =>
  createHash('sha1')
    .update(
      `jsapi_ticket=${input.ticket}&noncestr=${input.nonceStr}&timestamp=${input.timestamp}&url=${input.page}`,
    )
    .digest('hex')
