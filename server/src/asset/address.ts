/**
 * Signed addresses: files of private conversations, and of channels that not everybody may view, are readable
 * by them alone, and they end. Decisions 38 and 109.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assetKey, KEYS } from '@guildhall/wire/asset/assetKey.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { readSecret } from '../kit/crypto/secrets.ts'
import type { Db } from '../kit/database/db.ts'
import type { FileAddresses } from '../kit/files/fileAddresses.ts'

/** Days until a signed address ends, after the day on which it was written. */
const SIGNED_DAYS = 7
/** Bytes of the signature. */
const SIGNATURE_BYTES = 16
/** In base64url, with the channel it is for. Pages keep the two parameters of an address, and no others. */
const FORM = /^([\w-]{22})(?:-(\d{1,20}))?$/

/** Loopback is this site too: in development people come by any of its names. */
const LOOPBACK = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

const ORIGIN = /(https?:\/\/[^\s/"?#]+)/
const SIGNATURE = /(?:\?e=\d{1,7}&s=[\w-]{1,50})?/
/** Further parameters, as of a copy. */
const MORE = /([?&](?=\w))?/
const ADDRESSES = new RegExp([ORIGIN, KEYS, SIGNATURE, MORE].map(({ source }) => source).join(''), 'gi')

/**
 * A text in which `change` has made something else of the addresses of stored files: it gets each without its
 * signature, its origin, and the characters before and after it.
 */
const withAddresses = (
  text: string,
  change: (address: string, origin: string, around: string) => string,
): string =>
  text.includes('/assets/') || text.includes('/attachments/')
    ? text.replace(ADDRESSES, (found, origin: string, key: string, more: string | undefined, at: number) => {
        const around = `${text[at - 1] ?? ''}${text[at + found.length] ?? ''}`
        const changed = change(`${origin}/${key}`, origin, around)
        return more === undefined ? changed : `${changed}${changed.includes('?') ? '&' : '?'}`
      })
    : text

/** All nodes on one database sign alike. `publicUrl`: where this site is, for addresses within texts. */
export async function openFileAddresses(db: Db, publicUrl: string): Promise<FileAddresses> {
  const secret = await readSecret(db, 'file addresses')
  const signature = (key: string, day: string, channelId: string | undefined): Buffer =>
    createHmac('sha256', secret)
      .update([key, day, ...(channelId === undefined ? [] : [channelId])].join('\n'))
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  const hostOf = (origin: string) => origin.replace(/^https?:\/\//i, '').toLowerCase()
  const isOwn = (origin: string) => hostOf(origin) === hostOf(publicUrl) || LOOPBACK.test(origin)
  const signed = (address: string, channelId?: string): string => {
    const key = assetKey(address)
    if (key === null) return address
    const day = String(Math.floor(clock.now() / DAY_MS) + SIGNED_DAYS)
    const plain = address.replace(/[?#].*$/s, '')
    const by = signature(key, day, channelId).toString('base64url')
    return `${plain}?e=${day}&s=${by}${channelId === undefined ? '' : `-${channelId}`}`
  }
  return {
    signed,
    // What other sites name like a file of ours gets no signature, which a click would tell them. A string
    // of cards is an address that the server has written.
    signedIn: (text, channelId) =>
      withAddresses(text, (address, origin, around) =>
        isOwn(origin) || around === '""' ? signed(address, channelId) : address,
      ),
    signatureIn(key, { e = '', s = '' }) {
      if (!/^\d{1,7}$/.test(e) || Number(e) < Math.floor(clock.now() / DAY_MS)) return null
      const [, by = '', channelId] = FORM.exec(s) ?? []
      const given = Buffer.from(by, 'base64url')
      const isValid = given.length === SIGNATURE_BYTES && timingSafeEqual(given, signature(key, e, channelId))
      return isValid ? { channelId } : null
    },
  }
}

/** A text as it is stored: the addresses of files in it have no signatures. */
export const withoutSignatures = (text: string): string => withAddresses(text, (address) => address)
