/** Registering by an invite and a password, without a number or an address. */
import type { Session } from '@guildhall/wire/auth/auth.ts'
import { isPassword } from '@guildhall/wire/auth/password.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { clock } from '../../kit/clock.ts'
import { transaction } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { consumeAttempts } from '../../kit/limits/rateLimitDatabase.ts'
import { requireAllowed, type Screens } from '../../kit/screening.ts'
import { countsAsVerified, register } from '../../user/user.ts'
import { nameAttempts } from '../limit.ts'
import type { LoginDeps, RequestOrigin } from '../login.ts'
import { hashPassword } from '../password.ts'
import * as rows from '../sql.ts'

export interface NameDeps
  extends Pick<LoginDeps, 'db' | 'onRegistered' | 'openSession' | 'smsRules'>,
    Pick<AppContext, 'ways'> {
  readonly screens?: Screens
  /** Whether a code is that of an invite that can be used. @throws Failure too_many */
  readonly isInvite: (code: string, network: string) => Promise<boolean>
}

/**
 * Makes an account with a name, which is one, and a password for who has an invite, and logs it in.
 * @throws Failure content.refused, content.reserved, auth.password_required, auth.password_weak,
 *   auth.invite_needed, too_many
 */
export async function registerByName(
  deps: NameDeps,
  input: {
    readonly username: string
    readonly password: string
    readonly inviteCode: string
    readonly remember: boolean
  },
  from: RequestOrigin,
): Promise<Session> {
  const { db, screens, smsRules } = deps
  const { username, password, inviteCode } = input
  if (password === '') throw fail('auth.password_required')
  if (!isPassword(password)) throw fail('auth.password_weak')
  if (!(await deps.isInvite(inviteCode, from.network))) throw fail('auth.invite_needed')
  await transaction(db, async (tx) => {
    if (await consumeAttempts(tx, nameAttempts(from.network, smsRules.hasCaptchas))) throw fail('too_many')
  })
  if (screens) await requireAllowed(screens, { target: 'username', userId: null, texts: [username] })
  const hash = await hashPassword(password)
  // Stays verified when other ways are turned on later.
  const verified = countsAsVerified({ mobile_verified: false }, deps)
  return transaction(db, async (tx) => {
    const { user } = await register(tx, { prefix: '', mobile: '', verified, makeName: () => username })
    await rows.setPasswordHash(tx, user.id, hash, clock.now())
    await deps.onRegistered(tx, user.id, inviteCode, from.clientSource ?? null)
    return deps.openSession(tx, user, input.remember, from)
  })
}
