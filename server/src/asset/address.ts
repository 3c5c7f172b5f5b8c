/** Signed addresses: files of private conversations are readable by them, and they end. Decision 38. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import type { Db } from '../kit/database/db.ts'

/** Days until a signed address ends, after the day on which it was written. */
const SIGNED_DAYS = 7
/** Bytes of the signature. */
const SIGNATURE_BYTES = 16

export interface FileAddresses {
  /**
   * The address of a stored file with a signature that ends in seven to eight days; the same for a whole day,
   * so that caches know it again. Other texts are unchanged.
   */
  signed(address: string): string
  /** Whether the parameters of a request hold a valid signature for this key. */
  isSigned(key: string, params: Readonly<Record<string, string>>): boolean
}

/** All nodes on one database sign alike. */
export async function openFileAddresses(db: Db): Promise<FileAddresses> {
  const secret = await readSecret(db, 'file addresses')
  const signature = (key: string, day: string): Buffer =>
    createHmac('sha256', secret).update(`${key}\n${day}`).digest().subarray(0, SIGNATURE_BYTES)
  return {
    signed(address) {
      const key = assetKey(address)
      if (key === null) return address
      const day = String(Math.floor(clock.now() / DAY_MS) + SIGNED_DAYS)
      return `${address.replace(/[?#].*$/s, '')}?e=${day}&s=${signature(key, day).toString('base64url')}`
    },
    isSigned(key, { e = '', s = '' }) {
      if (!/^\d{1,7}$/.test(e) || Number(e) < Math.floor(clock.now() / DAY_MS)) return false
      const given = Buffer.from(s, 'base64url')
      return given.length === SIGNATURE_BYTES && timingSafeEqual(given, signature(key, e))
    },
  }
}
