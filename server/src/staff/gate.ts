/**
 * Who reaches calls of staff: somebody with the right, in a session of the console, from an allowed address.
 * Decision 80.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { isStaffRole } from '@guildhall/wire/staff/roles.ts'
import { STAFF_IDLE_MS, STAFF_SESSION_MS, type StaffSelf, staffMe } from '@guildhall/wire/staff/session.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Auth } from '../auth/auth.ts'
import { hasSecondFactor } from '../auth/auth.ts'
import { listed } from '../kit/addresses.ts'
import { clock } from '../kit/clock.ts'
import type { Db } from '../kit/database/db.ts'
import type { AppContext } from '../kit/events/events.ts'
import type { Caller, RequestContext } from '../kit/http/binding.ts'
import type { StaffGate } from '../kit/http/calls.ts'
import { findUser, pictureOf, staffOf, staffRightsOf } from '../user/user.ts'
import { callEntry, recordStaff } from './log.ts'
import * as rows from './sql.ts'

/** The last use of a session is written at most this often. */
const USED_EVERY_MS = 30 * SECOND_MS

export interface ConsoleDeps {
  readonly appContext: Pick<AppContext, 'db' | 'publicUrl'>
  /** Addresses and networks from which the console is used; empty: all. */
  readonly addresses: readonly string[]
}

/**
 * Calls that tell nothing of other people, and that every page of the console makes: in the log they would
 * hide the others.
 */
const UNRECORDED: ReadonlySet<string> = new Set([staffMe.path, staffWaiting.path])

const isFrom = ({ addresses }: Pick<ConsoleDeps, 'addresses'>): ((ip: string) => boolean) =>
  addresses.length === 0 ? () => true : listed(addresses)

const endOf = ({ opened_at, used_at }: rows.ConsoleSession): number =>
  Math.min(opened_at + STAFF_SESSION_MS, used_at + STAFF_IDLE_MS)

export function openStaffGate(deps: ConsoleDeps): StaffGate {
  const { db } = deps.appContext
  const isAllowed = isFrom(deps)
  return {
    async admit({ userId, sessionId }, { right, ip }) {
      const [rights, session] = await Promise.all([
        // Read at each call, so that a right that is taken away ends at once.
        staffRightsOf(db, userId),
        rows.consoleSession(db, sessionId),
      ])
      if (rights.length === 0 || (right !== 'any' && !rights.includes(right))) throw fail('forbidden')
      if (!isAllowed(ip)) throw fail('staff.address')
      const now = clock.now()
      // A clock that was set back ends no session and lengthens none beyond its own time.
      if (!session || endOf(session) <= now) throw fail('staff.session_over')
      if (now - session.used_at >= USED_EVERY_MS) await rows.useConsole(db, sessionId, now)
    },
    async record(caller, it) {
      if (!UNRECORDED.has(it.path)) await recordStaff(db, callEntry(caller, it))
    },
  }
}

/** Who is logged in. @throws Failure not_logged_in */
export async function staffSelf(
  appContext: Pick<AppContext, 'db' | 'publicUrl'>,
  { userId, sessionId }: Pick<Caller, 'userId' | 'sessionId'>,
): Promise<StaffSelf> {
  const { db } = appContext
  const [user, staff, rights, session] = await Promise.all([
    findUser(db, userId),
    staffOf(db, userId),
    staffRightsOf(db, userId),
    rows.consoleSession(db, sessionId),
  ])
  if (!user || !session) throw fail('not_logged_in')
  const { id, username, identify_num } = user
  return {
    id,
    username,
    identify_num,
    avatar: pictureOf(user, appContext),
    rights,
    role: isStaffRole(staff.staff_role) ? staff.staff_role : '',
    ends_at: session.opened_at + STAFF_SESSION_MS,
  }
}

/**
 * Logs in to the console.
 * @throws Failure those of `loginByPassword`, forbidden (no staff), staff.second_factor_off, staff.address
 */
export async function logInStaff(
  deps: ConsoleDeps & { readonly auth: Auth },
  input: Parameters<Auth['loginStaff']>[0],
  from: RequestContext,
): Promise<{ token: string; self: StaffSelf }> {
  const { auth, appContext } = deps
  const { db } = appContext
  if (!isFrom(deps)(from.ip)) throw fail('staff.address')
  const { token, caller } = await auth.loginStaff(input, from, (user) => requireStaff(db, user.id))
  await rows.openConsole(db, caller.sessionId, clock.now())
  const { userId, sessionId } = caller
  await recordStaff(db, { actor: userId, sessionId, network: from.network, kind: 'login', name: 'login' })
  return { token, self: await staffSelf(appContext, caller) }
}

/** @throws Failure forbidden, staff.second_factor_off */
async function requireStaff(db: Db, userId: UserId): Promise<void> {
  if ((await staffRightsOf(db, userId)).length === 0) throw fail('forbidden')
  if (!(await hasSecondFactor(db, userId))) throw fail('staff.second_factor_off')
}
