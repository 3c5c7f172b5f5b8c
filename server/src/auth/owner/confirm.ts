/** Confirmation by the owner of an account, before something that cannot be undone. */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Db, transaction } from '../../kit/database/db.ts'
import { consumeAttempt } from '../../kit/limits/rateLimitDatabase.ts'
import { findUser } from '../../user/user.ts'
import { CONFIRMS_PER_PERSON } from '../limit.ts'
import { codeFailure, type Login } from '../login.ts'
import { checkPassword } from '../password.ts'
import * as rows from '../sql.ts'

/**
 * What an owner knows: the password, or a code to confirm or log in, sent to the account's number. `''`: not
 * given.
 */
export interface Proof {
  readonly password: string
  readonly code: string
}

/**
 * Checks that somebody is the owner of an account.
 * @throws Failure auth.password_required, auth.password_wrong, auth.code_required, auth.code_wrong,
 *   auth.code_expired, auth.too_many_tries; detail.owner: it is not the code of the number that a call is
 *   about
 */
export async function confirmOwner(
  db: Db,
  login: Pick<Login, 'tryCode'>,
  userId: UserId,
  { password, code }: Proof,
  network: string,
): Promise<void> {
  const user = await findUser(db, userId)
  if (!user) throw fail('not_logged_in')
  const hash = await rows.passwordHash(db, userId)
  if (password === '' && code === '')
    throw fail(hash === null ? 'auth.code_required' : 'auth.password_required')
  if (!(await consumeAttempt(db, CONFIRMS_PER_PERSON, userId))) throw fail('auth.too_many_tries')
  if (password !== '') {
    if (!(await checkPassword(password, hash, network))) throw fail('auth.password_wrong')
    return
  }
  const number = { prefix: user.mobile_prefix, mobile: user.mobile }
  const verdict = await transaction(db, (tx) =>
    login.tryCode(tx, number, code, { network, purpose: 'confirm' }),
  )
  if (verdict !== 'right') throw fail(codeFailure(verdict).failure, { owner: true })
}
