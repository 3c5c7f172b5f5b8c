/**
 * Acts of staff and operators: each records itself in the security log and in the staff log, in its own
 * transaction.
 */
import { fail } from '@guildhall/wire/failure.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import type { StaffAct } from '@guildhall/wire/staff/log.ts'
import type { AuditActor } from '../audit/audit.ts'
import type { Tx } from '../kit/database/db.ts'
import { type AppContext, commit, type Emit } from '../kit/events/events.ts'
import { type Actor, recordSecurity, type SecurityEvent } from '../kit/securityLog.ts'
import { staffRightsOf } from '../user/user.ts'
import { recordStaff } from './log.ts'

/** Who acts, and from where. */
export interface StaffActor {
  readonly actor: Actor
  readonly network?: string
  readonly sessionId?: string
  /** Who else agreed, of an act that waited for them. */
  readonly approvedBy?: Actor
}

/** Who acts, as a guild's log has it. */
export const auditActor = ({ actor }: StaffActor): AuditActor => ({ staff: actor })

/** Records an act in the security log and in the staff log, in its own transaction. */
export async function record(
  tx: Tx,
  by: StaffActor,
  kind: StaffAct,
  { detail, ...it }: Partial<SecurityEvent> & { readonly detail?: object },
): Promise<void> {
  const { approvedBy, ...from } = by
  await recordSecurity(tx, { kind, ...from, ...it })
  const { userId, target } = it
  const said = { ...detail, ...(approvedBy && { approved_by: approvedBy }) }
  await recordStaff(tx, { ...from, userId, target, detail: said, kind: 'act', name: kind })
}

/** Staff do not act on staff; operators do. @throws Failure forbidden */
export async function refuseStaff(tx: Tx, by: StaffActor, userId: UserId): Promise<void> {
  if (by.actor !== 'operator' && (await staffRightsOf(tx, userId)).length > 0) throw fail('forbidden')
}

/** The field of a reason, left out where there is none. */
export const reasonDetail = (reason: string | undefined): { readonly reason?: string } =>
  reason ? { reason } : {}

/** An act on a person, and what it is recorded with. */
interface OnPerson {
  readonly kind: StaffAct
  readonly userId: UserId
  readonly target?: string
  readonly reason?: string | undefined
}

/**
 * Runs an act on a person in a transaction and records it with its reason and with what `act` answers: what
 * it was before, and is now.
 * @throws Failure forbidden
 */
export async function onPersonIn(
  tx: Tx,
  by: StaffActor,
  input: OnPerson,
  act: () => Promise<object | undefined>,
): Promise<void> {
  await refuseStaff(tx, by, input.userId)
  const { kind, reason, ...of } = input
  const detail = await act()
  await record(tx, by, kind, { ...of, detail: { ...reasonDetail(reason), ...detail } })
}

/** The same in a transaction of its own. @throws Failure forbidden */
export const onPerson = (
  appContext: AppContext,
  by: StaffActor,
  input: OnPerson,
  act: (tx: Tx, emit: Emit) => Promise<object | undefined>,
): Promise<void> => commit(appContext, (tx, emit) => onPersonIn(tx, by, input, () => act(tx, emit)))
