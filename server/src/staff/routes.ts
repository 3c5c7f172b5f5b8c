/** The calls of staff. */
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { staffLogin, staffLogout, staffMe } from '@guildhall/wire/staff/session.ts'
import * as wire from '@guildhall/wire/staff/staff.ts'
import type { WordsQueue } from '../account/account.ts'
import type { Auth } from '../auth/auth.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bind, bindStaff, type Caller, type Context } from '../kit/http/binding.ts'
import { logInStaff, staffSelf } from './gate.ts'
import { readLog } from './log.ts'
import * as staff from './staff.ts'
import { type WordsDeps, wordsRoutes } from './wordsRoutes.ts'

const by = ({ caller, place }: Context<Caller>): staff.By => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  place,
})

export const staffRoutes = ({
  live,
  words,
  auth,
  addresses,
  screened,
}: {
  readonly live: Live
  readonly words: WordsQueue
  readonly screened: WordsDeps
  readonly auth: Auth
  /** Networks from which the console is used; empty: all. */
  readonly addresses: readonly string[]
}): Binding[] => [
  ...sessionRoutes(live, auth, addresses),
  ...wordsRoutes(screened),
  bindStaff(wire.findPeople, async (_context, { user_id, mobile, mobile_prefix, name }) => ({
    items: await staff.findPeople(live.db, {
      userId: user_id,
      name,
      mobile: mobile === undefined ? undefined : { prefix: mobile_prefix, mobile },
    }),
  })),
  ...personActs(live, words),
  bindStaff(wire.removeMessage, async (context, { msg_id }) => {
    await staff.removeMessage(live, by(context), msg_id)
    return {}
  }),
  bindStaff(wire.removeAsset, async (context, { url }) => {
    await staff.removeAsset(live, by(context), url)
    return {}
  }),
  bindStaff(wire.removeMember, async (context, { guild_id, user_id }) => {
    await staff.removeFromGuild(live, by(context), guild_id, user_id)
    return {}
  }),
  bindStaff(wire.revokeInvite, async (context, { code }) => {
    await staff.endInvite(live, by(context), code)
    return {}
  }),
  bindStaff(wire.closeGuild, async (context, { guild_id }) => {
    await staff.shutGuild(live, by(context), guild_id)
    return {}
  }),
  bindStaff(wire.restoreGuild, async (context, { guild_id }) => {
    await staff.reopenGuild(live, by(context), guild_id)
    return {}
  }),
]

const sessionRoutes = (live: Live, auth: Auth, addresses: readonly string[]): Binding[] => [
  bind(staffLogin, (context, { mobile, mobile_prefix: prefix, password, second_factor: secondFactor }) =>
    logInStaff(
      { live, auth, addresses },
      { prefix, mobile, password, secondFactor, remember: false },
      context,
    ),
  ),
  bindStaff(staffMe, ({ caller }) => staffSelf(live, caller)),
  bindStaff(staffLogout, async ({ caller, place }) => {
    await auth.logOut(caller, place)
    return {}
  }),
  bindStaff(listStaffLog, (_context, input) => readLog(live.db, input)),
]

const personActs = (live: Live, words: WordsQueue): Binding[] => [
  bindStaff(wire.suspendUser, async (context, { user_id }) => {
    await staff.suspendUser(live, by(context), user_id)
    return {}
  }),
  bindStaff(wire.restoreUser, async (context, { user_id }) => {
    await staff.restoreUser(live, by(context), user_id)
    return {}
  }),
  bindStaff(wire.signOutUser, async (context, { user_id }) => {
    await staff.signOutUser(live, by(context), user_id)
    return {}
  }),
  bindStaff(wire.deleteUser, async (context, { user_id, words: isWithWords }) => {
    await staff.deleteUser(live, by(context), user_id, async (tx) => {
      if (isWithWords) await words.queue(tx, user_id)
    })
    if (isWithWords) words.wake()
    return {}
  }),
  bindStaff(wire.resetPassword, async (context, { user_id, password }) => {
    await staff.setUserPassword(live, by(context), user_id, password ?? null)
    return {}
  }),
]
