/**
 * Acts of staff and operators: each records itself in the security log and in the staff log, in its own
 * transaction.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit, type Emit, type Live } from '../kit/events/events.ts'
import { type Actor, recordSecurity, type SecurityEvent } from '../kit/securityLog.ts'
import { staffRightsOf } from '../user/user.ts'
import { recordStaff } from './log.ts'

/** Who acts, and from where. */
export interface StaffActor {
  readonly actor: Actor
  readonly network?: string
  readonly sessionId?: string
}

/** Records an act in the security log and in the staff log, in its own transaction. */
export async function record(
  tx: Tx,
  by: StaffActor,
  kind: string,
  { detail, ...it }: Partial<SecurityEvent> & { readonly detail?: object },
): Promise<void> {
  await recordSecurity(tx, { kind, ...by, ...it })
  const { actor, network, sessionId } = by
  const { userId, target } = it
  await recordStaff(tx, { actor, network, sessionId, userId, target, detail, kind: 'act', name: kind })
}

/** Staff do not act on staff; operators do. @throws Failure forbidden */
export async function refuseStaff(tx: Tx, by: StaffActor, userId: UserId): Promise<void> {
  if (by.actor !== 'operator' && (await staffRightsOf(tx, userId)).length > 0) throw fail('forbidden')
}

/** The field of a reason, left out where there is none. */
export const because = (reason: string | undefined): { readonly reason?: string } =>
  reason ? { reason } : {}

/**
 * Runs an act on a person and records it with its reason and with what `act` answers: what it was before, and
 * is now.
 * @throws Failure forbidden
 */
export const onPerson = (
  live: Live,
  by: StaffActor,
  input: {
    readonly kind: string
    readonly userId: UserId
    readonly target?: string
    readonly reason?: string | undefined
  },
  act: (tx: Tx, emit: Emit) => Promise<object | undefined>,
): Promise<void> =>
  commit(live, async (tx, emit) => {
    await refuseStaff(tx, by, input.userId)
    const { kind, reason, ...of } = input
    const detail = await act(tx, emit)
    await record(tx, by, kind, { ...of, detail: { ...because(reason), ...detail } })
  })
