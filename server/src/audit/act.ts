/** What is written down of an act. */
import type { AuditType, AuditValues, TargetKind } from '@guildhall/wire/audit/audit.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Actor } from '../kit/securityLog.ts'

/** Who acts: a person or bot of the guild, one of staff, or the operator. */
export type AuditActor = UserId | { readonly staff: Actor }

/** The operator at the command line. */
export const BY_OPERATOR: AuditActor = { staff: 'operator' }

/** What was acted on. */
export interface AuditTarget {
  readonly kind: TargetKind
  readonly id: string | number
  /** Absent: that of `person`. */
  readonly name?: string
  /** Whose name it has: the member, or the author of the message. */
  readonly person?: UserId
}

/** A member as what was acted on. */
export const memberTarget = (userId: UserId): AuditTarget => ({ kind: 'member', id: userId, person: userId })

/** An act as it is written down. */
export interface AuditAct {
  readonly guildId: GuildId
  readonly by: AuditActor
  readonly type: AuditType
  readonly target: AuditTarget
  /** The fields that changed, as they were and as they are; absent: there is nothing to say. */
  readonly before?: AuditValues
  readonly after?: AuditValues
  readonly reason?: string | undefined
}
