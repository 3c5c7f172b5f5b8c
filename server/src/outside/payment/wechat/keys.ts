/**
 * The keys that WeChat Pay signs with: certificates that it hands out and changes, or its one public key.
 * Kept in memory.
 */
import { createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { z } from '@guildhall/wire/schema.ts'
import { MINUTE_MS, type Millis, SECOND_MS } from '@guildhall/wire/unit.ts'
import type { WechatPayConfig } from '../../../config/pay.ts'
import { clock } from '../../../kit/clock.ts'
import { jsonOf } from '../../answer.ts'
import { PayFailed } from '../payProvider.ts'
import { decryptWechat, isWechatSignature, WECHAT_ALGORITHM, type WechatSigned } from './crypto.ts'

/** How old what WeChat signed may be, and how far its clock may be ahead. */
const FRESH_MS = 5 * MINUTE_MS
/** Everybody can name a serial that nobody knows: WeChat is asked because of it once a minute at most. */
const ASKS_EVERY_MS = MINUTE_MS
const FIRST_ASKS_EVERY_MS = 5 * SECOND_MS
const KEY_BITS_MIN = 2_048

/** An answer with `/v3/certificates`, before anybody can verify it. */
export interface SignedAnswer {
  readonly signed: WechatSigned
  readonly serial: string
}

export interface WechatKeys {
  /**
   * The key of a serial; null for a serial that WeChat does not have.
   * @throws PayFailed when there are no certificates and they cannot be had
   */
  keyOf(serial: string): Promise<KeyObject | null>
}

/** What WeChat encrypts, in answers and in messages. */
export const encryptedPart = z.object({
  algorithm: z.literal(WECHAT_ALGORITHM),
  nonce: z.string(),
  associated_data: z.nullish(z.string()),
  ciphertext: z.string(),
})
const certificates = z.object({
  data: z.array(z.object({ serial_no: z.string(), encrypt_certificate: encryptedPart })),
})

interface Certificate {
  readonly key: KeyObject
  readonly until: Millis
}

/**
 * `ask`: the answer to `GET /v3/certificates`, not yet verified; rejects with PayFailed. @throws Error for a
 * public key that is none
 */
export function openWechatKeys(
  config: Pick<WechatPayConfig, 'apiV3Key' | 'publicKey'>,
  ask: () => Promise<SignedAnswer>,
): WechatKeys {
  const fixed = config.publicKey && { id: config.publicKey.id, key: rsaKey(config.publicKey.pem) }
  let known: ReadonlyMap<string, Certificate> = new Map()
  let askedAt = Number.NEGATIVE_INFINITY
  let underway: Promise<void> | null = null

  const find = (serial: string): KeyObject | null => {
    const found = known.get(serial)
    return found && found.until > clock.now() ? found.key : null
  }
  const refresh = async (): Promise<void> => {
    askedAt = clock.now()
    known = readCertificates(config.apiV3Key, await ask())
  }
  return {
    async keyOf(serial) {
      if (fixed?.id === serial) return fixed.key
      const found = find(serial)
      if (found) return found
      // A merchant with a public key may have no certificates at all; one that changes from them still gets
      // some messages of theirs.
      if (fixed && /^PUB_KEY_ID_/.test(serial)) return null
      const pause = known.size > 0 || fixed ? ASKS_EVERY_MS : FIRST_ASKS_EVERY_MS
      if (!underway && clock.now() - askedAt >= pause)
        underway = refresh().finally(() => {
          underway = null
        })
      try {
        await underway
      } catch (error) {
        if (known.size === 0 && !fixed) throw error
      }
      if (known.size === 0 && !fixed) throw new PayFailed('wechat', 'has given no certificates')
      return find(serial)
    },
  }
}

/**
 * The certificates of an answer. Each is encrypted with the merchant's key, and one of them has signed the
 * answer.
 * @throws PayFailed
 */
function readCertificates(
  apiV3Key: string,
  { signed, serial }: SignedAnswer,
): ReadonlyMap<string, Certificate> {
  const parsed = certificates.safeParse(jsonOf(signed.body))
  if (!parsed.success) throw new PayFailed('wechat', 'answers with something else than certificates')
  const found = new Map<string, Certificate>()
  for (const { serial_no, encrypt_certificate } of parsed.data.data) {
    const pem = decryptWechat(apiV3Key, encrypt_certificate)
    if (!pem) throw new PayFailed('wechat', 'answers with certificates for another APIv3 key')
    const certificate = certificateOf(pem)
    if (certificate?.serialNumber !== serial_no || !isStrong(certificate.publicKey))
      throw new PayFailed('wechat', 'answers with something else than certificates')
    found.set(serial_no, { key: certificate.publicKey, until: Date.parse(certificate.validTo) })
  }
  const signer = found.get(serial)
  if (!signer || !isWechatSignature(signer.key, signed))
    throw new PayFailed('wechat', 'answers with a signature that is not its own')
  return found
}

function certificateOf(pem: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

const isStrong = (key: KeyObject): boolean =>
  key.asymmetricKeyType === 'rsa' && Number(key.asymmetricKeyDetails?.modulusLength) >= KEY_BITS_MIN

function rsaKey(pem: string): KeyObject {
  const key = createPublicKey(pem)
  if (!isStrong(key)) throw new Error('WeChat’s public key must be an RSA key of 2048 bits')
  return key
}

/** Whether what WeChat signed at a time, s, is of now. */
export const isFresh = (timestamp: string): boolean =>
  /^[1-9]\d{0,11}$/.test(timestamp) && Math.abs(clock.now() - Number(timestamp) * 1_000) <= FRESH_MS
