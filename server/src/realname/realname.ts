/**
 * Real names: a name and the number of an identity card are checked by a service, and kept sealed. Nobody
 * reads them here again but for their last characters. commerce.md §5.
 */
import { createHmac } from 'node:crypto'
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import {
  isIdNumber,
  isRealName,
  maskIdNumber,
  maskName,
  REAL_NAME_ACCOUNTS_MAX,
  type RealName,
  readIdNumber,
  readRealName,
} from '@guildhall/wire/realname/realname.ts'
import { z } from '@guildhall/wire/schema.ts'
import { DAY_MS, HOUR_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { clock } from '../kit/clock.ts'
import { seal, unseal } from '../kit/crypto/seal.ts'
import { type Db, type Tx, transaction } from '../kit/database/db.ts'
import type { Limits, RateLimit } from '../kit/limits/rateLimit.ts'
import { useAttempts } from '../kit/limits/rateLimitDatabase.ts'
import type { Log } from '../kit/log.ts'
import { recordSecurity } from '../kit/securityLog.ts'
import type { RealNameService } from '../outside/realName/realName.ts'
import { lockUser } from '../user/user.ts'
import * as rows from './sql.ts'

export interface RealNames {
  /** Null: the operator has none. */
  readonly service: RealNameService | null
  /** Seals names and numbers; it is not in the database. */
  readonly key: () => Promise<Buffer>
}

export interface RealNameDeps extends RealNames {
  readonly db: Db
  readonly limits: Limits
  readonly log: Log
}

/**
 * Questions to the service, whatever it answers, also when it does not: each may cost the operator. They are
 * counted before they are asked.
 */
const BY_PERSON: RateLimit = { name: 'real names by person', most: 5, windowMs: DAY_MS }
const BY_NETWORK: RateLimit = { name: 'real names by place', most: 20, windowMs: HOUR_MS }
/** The page gives a call up after five seconds. */
const ASKS_FOR_MS = 4 * SECOND_MS

const PURPOSE = 'real name'
const sealedName = z.object({ name: z.string(), number: z.string() })

/**
 * Verifies the name of an account, once.
 * @throws Failure realname.name_wrong, realname.number_wrong, realname.off, realname.done, realname.taken,
 *   realname.mismatch, realname.unavailable, too_many
 */
export async function verifyRealName(
  deps: RealNameDeps,
  userId: UserId,
  typed: { readonly name: string; readonly number: string },
  network: string,
): Promise<void> {
  const { db, limits } = deps
  const name = readRealName(typed.name)
  const number = readIdNumber(typed.number)
  if (!isRealName(name)) throw fail('realname.name_wrong')
  if (!isIdNumber(number, clock.now())) throw fail('realname.number_wrong')
  if (!deps.service) throw fail('realname.off')
  if (await rows.find(db, userId)) throw fail('realname.done')
  const key = await deps.key()
  const hash = createHmac('sha256', key).update(number).digest()
  if ((await rows.countOf(db, hash)) >= REAL_NAME_ACCOUNTS_MAX) throw fail('realname.taken')
  await useAttempts(db, [
    [limits.scaled(BY_NETWORK), network],
    [limits.scaled(BY_PERSON), userId],
  ])
  await askService(deps, name, number)
  const now = clock.now()
  await transaction(db, async (tx) => {
    await lockUser(tx, userId)
    await rows.lockNumber(tx, hash)
    if (await rows.find(tx, userId)) throw fail('realname.done')
    if ((await rows.countOf(tx, hash)) >= REAL_NAME_ACCOUNTS_MAX) throw fail('realname.taken')
    const sealed = seal(key, purposeOf(userId), { name, number })
    await rows.add(tx, { user_id: userId, sealed, number_hash: hash, verified_at: now })
    await recordSecurity(tx, { kind: 'user real name', userId, network })
  })
}

/** A sealed name opens for its own account only. */
const purposeOf = (userId: UserId): string => `${PURPOSE} ${userId}`

/** @throws Failure realname.mismatch, realname.unavailable */
async function askService({ service, log }: RealNameDeps, name: string, number: string): Promise<void> {
  const verdict = await service!
    .check(name, number, AbortSignal.timeout(ASKS_FOR_MS))
    .catch((error: unknown) => {
      log.warn(
        `the real name service gives no verdict: ${error instanceof Error ? error.message : String(error)}`,
      )
      throw Object.assign(fail('realname.unavailable'), { cause: error })
    })
  if (verdict === 'mismatch') throw fail('realname.mismatch')
}

/** What is shown of somebody's real name. */
export async function realNameOf(input: RealNames & { readonly db: Db }, userId: UserId): Promise<RealName> {
  const offered = input.service !== null
  const row = await rows.find(input.db, userId)
  if (!row) return { offered, verified: false, verified_at: 0, name: '', number: '' }
  const opened = sealedName.safeParse(unseal(await input.key(), purposeOf(userId), row.sealed)).data
  return {
    offered,
    verified: true,
    verified_at: row.verified_at,
    name: opened ? maskName(opened.name) : '',
    number: opened ? maskIdNumber(opened.number) : '',
  }
}

/** Since when an account is verified, ms, for the copy of its data; 0: it is not. */
export const verifiedSince = async (db: Db, userId: UserId): Promise<number> =>
  (await rows.find(db, userId))?.verified_at ?? 0

/** The account is deleted: its card may verify another one. */
export const forgetRealName = (tx: Tx, userId: UserId): Promise<void> => rows.remove(tx, userId)
