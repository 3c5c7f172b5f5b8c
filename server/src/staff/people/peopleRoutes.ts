/** The calls of staff on people. */
import { MAIL } from '@guildhall/wire/auth/address.ts'
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import * as people from '@guildhall/wire/staff/people.ts'
import * as wire from '@guildhall/wire/staff/staff.ts'
import type { MessageDeletionQueue } from '../../account/account.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { type ApprovalDeps, doOrAsk } from '../approvals/approvals.ts'
import { staffActorOf } from '../staffActor.ts'
import * as rules from './people.ts'

/** The number, or the address in its place, that a search names. */
function numberIn(asked: {
  readonly mobile?: string | undefined
  readonly mobile_prefix: string
  readonly address?: string | undefined
}): Mobile | undefined {
  const { mobile, mobile_prefix: prefix, address } = asked
  if (address !== undefined) return { prefix: MAIL, mobile: address }
  return mobile === undefined ? undefined : { prefix, mobile }
}

export const peopleRoutes = (deps: ApprovalDeps, deletion: MessageDeletionQueue): Binding[] => {
  const { appContext, notify } = deps
  return [
    bindStaff(people.findPeople, (_context, { user_id, mobile, mobile_prefix, address, name, after }) =>
      rules.findPeople(appContext, {
        userId: user_id,
        name,
        after,
        mobile: numberIn({ mobile, mobile_prefix, address }),
      }),
    ),
    bindStaff(people.staffViewPerson, (_context, { user_id }) => rules.viewPerson(appContext, user_id)),
    bindStaff(people.giveBuff, async (context, { user_id: userId, days, reason }) => {
      const gift = { userId, days, reason }
      const { answer, approvalId } = await doOrAsk(deps, staffActorOf(context), 'buff', gift)
      return { until: answer ?? 0, approval_id: approvalId }
    }),
    bindStaff(people.takeBuff, async (context, { user_id, grant_id, reason }) => {
      await rules.takeBuffFrom({ appContext, notify }, staffActorOf(context), user_id, {
        grantId: grant_id,
        reason,
      })
      return {}
    }),
    bindStaff(wire.suspendUser, async (context, { user_id, until, reason }) => {
      await rules.suspendUser(appContext, staffActorOf(context), user_id, {
        until: until === 0 ? null : until,
        reason,
      })
      return {}
    }),
    bindStaff(wire.restoreUser, async (context, { user_id, reason }) => {
      await rules.restoreUser(appContext, staffActorOf(context), user_id, reason)
      return {}
    }),
    bindStaff(wire.signOutUser, async (context, { user_id, reason }) => {
      await rules.signOutUser(appContext, staffActorOf(context), user_id, reason)
      return {}
    }),
    bindStaff(wire.deleteUser, async (context, { user_id, words: isWithMessages, reason }) => {
      const queueMessageDeletion = isWithMessages
        ? (tx: Parameters<MessageDeletionQueue['queue']>[0]) => deletion.queue(tx, user_id)
        : null
      await rules.deleteUser(appContext, staffActorOf(context), user_id, {
        reason,
        ...(queueMessageDeletion && { queueMessageDeletion }),
      })
      if (isWithMessages) deletion.wake()
      return {}
    }),
    bindStaff(wire.resetPassword, async (context, { user_id, password, reason }) => {
      await rules.setUserPassword(appContext, staffActorOf(context), user_id, {
        password: password ?? null,
        reason,
      })
      return {}
    }),
  ]
}
