/** The calls of staff. */
import * as wire from '@guildhall/wire/staff/staff.ts'
import type { WordsQueue } from '../account/account.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bindStaff, type Caller, type Context } from '../kit/http/binding.ts'
import * as staff from './staff.ts'

const by = ({ caller, place }: Context<Caller>): staff.By => ({
  actor: caller.userId,
  sessionId: caller.sessionId,
  place,
})

export const staffRoutes = ({
  live,
  words,
}: {
  readonly live: Live
  readonly words: WordsQueue
}): Binding[] => [
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
