/** The calls of staff. */
import { readAccount } from '@guildhall/wire/auth/address.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { staffLogin, staffLogout, staffMe } from '@guildhall/wire/staff/session.ts'
import * as wire from '@guildhall/wire/staff/staff.ts'
import { staffWaiting } from '@guildhall/wire/staff/waiting.ts'
import type { MessageDeletionQueue } from '../account/account.ts'
import type { FileAddresses } from '../asset/asset.ts'
import type { Auth } from '../auth/auth.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bind, bindStaff } from '../kit/http/binding.ts'
import type { PayDeps } from '../pay/pay.ts'
import { approvalRoutes } from './approvals/approvalRoutes.ts'
import type { ApprovalDeps } from './approvals/approvals.ts'
import { codeRoutes } from './codes/codeRoutes.ts'
import { logInStaff, staffSelf } from './gate.ts'
import { guildRoutes } from './guilds/guildRoutes.ts'
import { readLog } from './log.ts'
import { numberRoutes } from './numbers/numberRoutes.ts'
import { orderRoutes } from './orders/orderRoutes.ts'
import { peopleRoutes } from './people/peopleRoutes.ts'
import { productRoutes } from './products/productRoutes.ts'
import type { ReportersQueue } from './reports/reports.ts'
import { reportsRoutes } from './reports/reportsRoutes.ts'
import { reviewsRoutes } from './reviews/reviewsRoutes.ts'
import * as staff from './staff.ts'
import { staffActorOf } from './staffActor.ts'
import { countWaiting } from './waiting.ts'
import { type WordRulesDeps, wordsRoutes } from './words/wordsRoutes.ts'

export const staffRoutes = ({
  appContext,
  deletion,
  auth,
  addresses,
  pay,
  acting,
  files,
  reporters,
  screened,
}: {
  readonly appContext: AppContext
  /** For acts that may wait for somebody else. */
  readonly acting: ApprovalDeps
  readonly pay: PayDeps
  readonly deletion: MessageDeletionQueue
  readonly screened: WordRulesDeps
  readonly auth: Auth
  /** Networks from which the console is used; empty: all. */
  readonly addresses: readonly string[]
  readonly files: FileAddresses
  readonly reporters: ReportersQueue
}): Binding[] => [
  ...sessionRoutes(appContext, auth, addresses),
  ...reviewsRoutes(screened),
  ...reportsRoutes({ appContext, addresses: files, reporters }),
  ...orderRoutes(pay),
  ...productRoutes(acting),
  ...numberRoutes(appContext.db),
  ...peopleRoutes(acting, deletion),
  ...guildRoutes(acting),
  ...codeRoutes(acting),
  ...approvalRoutes(acting),
  ...wordsRoutes(screened),
  bindStaff(wire.removeMessage, async (context, { msg_id, reason }) => {
    await staff.removeMessage(appContext, staffActorOf(context), msg_id, reason)
    return {}
  }),
  bindStaff(wire.removeAsset, async (context, { url }) => {
    await staff.removeAsset(appContext, staffActorOf(context), url)
    return {}
  }),
  bindStaff(wire.removeMember, async (context, { guild_id, user_id }) => {
    await staff.removeFromGuild(appContext, staffActorOf(context), guild_id, user_id)
    return {}
  }),
  bindStaff(wire.revokeInvite, async (context, { code }) => {
    await staff.endInvite(appContext, staffActorOf(context), code)
    return {}
  }),
]

const sessionRoutes = (appContext: AppContext, auth: Auth, addresses: readonly string[]): Binding[] => [
  bind(staffLogin, (context, { mobile, mobile_prefix: prefix, account, ...it }) => {
    const who = account === undefined ? { prefix, mobile } : readAccount(account)
    const { password, second_factor: secondFactor } = it
    const input = { ...who, password, secondFactor, remember: false }
    return logInStaff({ appContext, auth, addresses }, input, context)
  }),
  bindStaff(staffMe, ({ caller }) => staffSelf(appContext, caller)),
  bindStaff(staffLogout, async ({ caller, network }) => {
    await auth.logOut(caller, network)
    return {}
  }),
  bindStaff(staffWaiting, ({ caller }) => countWaiting(appContext.db, caller.userId)),
  bindStaff(listStaffLog, (_context, input) => readLog(appContext.db, input)),
]
