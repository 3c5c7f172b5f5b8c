/**
 * How second factors are sealed: the secret of an authenticator, and of each recovery code a hash with its
 * salt. Decision 106.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Keys, keysIn, Seals } from '../../kit/crypto/keys.ts'
import { unseal } from '../../kit/crypto/seal.ts'
import { dropSecret, findSecret } from '../../kit/crypto/secrets.ts'
import { type Db, type Tx, transaction } from '../../kit/database/db.ts'
import * as rows from './secondFactorSql.ts'

const SALT_BYTES = 16
const BATCH = 200
const FIRST = '0' as UserId

/** In the table `secret` of earlier versions: what sealed secrets, and what hashed recovery codes. */
const FORMER = { secret: 'second factor', recovery: 'recovery code' } as const

const purposeOf = (userId: UserId): string => `second factor of ${userId}`

/** A hash of a recovery code. */
interface Recovery {
  /** base64, as the hash */
  readonly salt: string
  readonly hash: string
}

/** Opens and seals what is stored. */
export class FactorSeals {
  readonly #secret: Seals
  readonly #recovery: Seals

  /** The first key seals, and all open. */
  constructor(keys: readonly Buffer[]) {
    this.#secret = new Seals(keys, 'second factor')
    this.#recovery = new Seals(keys, 'recovery code')
  }

  sealSecret(userId: UserId, secret: string): string {
    return this.#secret.seal(purposeOf(userId), secret)
  }

  /** The secret. @throws Error when it was sealed by another key, or for somebody else */
  openSecret({ user_id, secret }: rows.SealedFactor): string {
    const opened = this.#secret.unseal(purposeOf(user_id), secret)
    if (typeof opened !== 'string') throw new Error(`the second factor of ${user_id} cannot be opened`)
    return opened
  }

  sealRecovery(userId: UserId, code: string): Buffer {
    const salt = randomBytes(SALT_BYTES)
    return this.sealHash(userId, salt, hashOf(salt, userId, code))
  }

  sealHash(userId: UserId, salt: Buffer, hash: Buffer): Buffer {
    const value: Recovery = { salt: salt.toString('base64'), hash: hash.toString('base64') }
    return Buffer.from(this.#recovery.seal(purposeOf(userId), value), 'base64url')
  }

  /** The stored one that a recovery code is; null when it is none. @throws Error as `openSecret` */
  findRecovery({ user_id, recovery }: rows.SealedFactor, code: string): Buffer | null {
    for (const sealed of recovery) {
      const opened = this.#recovery.unseal(purposeOf(user_id), textOf(sealed)) as Recovery | null
      if (!opened) throw new Error(`a recovery code of ${user_id} cannot be opened`)
      const hash = hashOf(Buffer.from(opened.salt, 'base64'), user_id, code)
      if (timingSafeEqual(hash, Buffer.from(opened.hash, 'base64'))) return sealed
    }
    return null
  }

  /** The same, sealed by the first key; itself when it is already; null when no key opens all of it. */
  reseal(row: rows.SealedFactor): rows.SealedFactor | null {
    const purpose = purposeOf(row.user_id)
    const secret = this.#secret.reseal(purpose, row.secret)
    const recovery = row.recovery.map((each) => this.#recovery.reseal(purpose, textOf(each)))
    if (secret === null || recovery.includes(null)) return null
    const isSame =
      secret === row.secret && recovery.every((each, at) => each === textOf(row.recovery[at] as Buffer))
    if (isSame) return row
    return { ...row, secret, recovery: recovery.map((each) => Buffer.from(each!, 'base64url')) }
  }
}

const textOf = (sealed: Buffer): string => sealed.toString('base64url')

const hashOf = (salt: Buffer, userId: UserId, code: string): Buffer =>
  createHmac('sha256', salt).update(`${userId} ${code}`).digest()

/** What `resealSecondFactors` and its like found. */
export interface Resealed {
  readonly sealed: number
  /** People whose second factor no key opens. */
  readonly closed: readonly UserId[]
}

/** Seals all again by the first key, some at a time, beside logins; what is sealed by it already stays. */
export async function resealSecondFactors(db: Db, keys: readonly Buffer[]): Promise<Resealed> {
  const seals = new FactorSeals(keys)
  return eachBatch((after) => transaction(db, (tx) => resealAfter(tx, after, (row) => seals.reseal(row))))
}

/** People whose second factor these keys do not open. */
export async function closedSecondFactors(db: Db, keys: readonly Buffer[]): Promise<readonly UserId[]> {
  const seals = new FactorSeals(keys)
  const { closed } = await eachBatch(async (after) => {
    const found = await rows.sealedAfter(db, after, { limit: BATCH, locks: false })
    const closed = found.filter((row) => !seals.reseal(row)).map(({ user_id }) => user_id)
    return { last: found.at(-1)?.user_id ?? null, sealed: 0, closed }
  })
  return closed
}

/**
 * Seals by the first key what earlier versions sealed by keys in the database, and deletes those, within the
 * transaction. Does nothing where there are none.
 */
export async function adoptSecondFactors(tx: Tx, keys: readonly Buffer[]): Promise<Resealed> {
  const [key, salt] = [await findSecret(tx, FORMER.secret), await findSecret(tx, FORMER.recovery)]
  if (!key && !salt) return { sealed: 0, closed: [] }
  const seals = new FactorSeals(keys)
  const done = await eachBatch((after) =>
    resealAfter(tx, after, (row) => {
      const secret = key && unseal(key, purposeOf(row.user_id), row.secret)
      if (typeof secret !== 'string' || (!salt && row.recovery.length > 0)) return seals.reseal(row)
      return {
        ...row,
        secret: seals.sealSecret(row.user_id, secret),
        recovery: row.recovery.map((hash) => seals.sealHash(row.user_id, salt!, hash)),
      }
    }),
  )
  for (const name of Object.values(FORMER)) await dropSecret(tx, name)
  return done
}

/** Whether a key that opens second factors lies in the database beside them. */
export const hasKeyBeside = async (db: Db): Promise<boolean> => (await findSecret(db, FORMER.secret)) !== null

interface Batch extends Resealed {
  /** Null: there were no more. */
  readonly last: UserId | null
}

async function eachBatch(batch: (after: UserId) => Promise<Batch>): Promise<Resealed> {
  let sealed = 0
  const closed: UserId[] = []
  for (let after: UserId | null = FIRST; after !== null; ) {
    const done: Batch = await batch(after)
    sealed += done.sealed
    closed.push(...done.closed)
    after = done.last
  }
  return { sealed, closed }
}

async function resealAfter(
  tx: Tx,
  after: UserId,
  change: (row: rows.SealedFactor) => rows.SealedFactor | null,
): Promise<Batch> {
  const found = await rows.sealedAfter(tx, after, { limit: BATCH, locks: true })
  let sealed = 0
  const closed: UserId[] = []
  for (const row of found) {
    const changed = change(row)
    if (!changed) closed.push(row.user_id)
    else if (changed !== row) {
      await rows.setSealed(tx, changed)
      sealed++
    }
  }
  return { last: found.at(-1)?.user_id ?? null, sealed, closed }
}

/** Those of a transaction. */
export const factorSealsIn = async (tx: Tx, keys: Keys): Promise<FactorSeals> =>
  new FactorSeals(await keysIn(tx, keys))
