/** The calls of invites. */
import { fail } from '@guildhall/wire/failure.ts'
import {
  joinGuild,
  viewInvite as viewInviteRoute,
  viewInviteV2 as viewInviteV2Route,
} from '@guildhall/wire/invite/invite.ts'
import {
  checkInviteCode,
  myInviteCodes,
  viewReferral as viewReferralRoute,
} from '@guildhall/wire/invite/referral.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bind, bindUser } from '../kit/http/binding.ts'
import type { Limits } from '../kit/rateLimit.ts'
import { joinByInvite, viewInvite, type Welcome } from './invite.ts'
import { limitGuesses } from './limit.ts'
import { checkCode, myCode, viewReferral } from './referral.ts'

export const inviteRoutes = ({
  live,
  limits,
  welcome,
}: {
  live: Live
  limits: Limits
  welcome: Welcome
}): Binding[] => [
  bind(viewInviteRoute, ({ caller, place }, { id }) =>
    limitGuesses({ limits, db: live.db }, place, () => viewInvite(live, caller?.userId ?? null, id)),
  ),
  bind(viewInviteV2Route, ({ caller, place }, { code }) =>
    limitGuesses({ limits, db: live.db }, place, () => viewInvite(live, caller?.userId ?? null, code)),
  ),
  bindUser(joinGuild, ({ caller, place }, { id, code }) => {
    const given = id ?? code
    if (!given) throw fail('invite.invalid')
    return limitGuesses({ limits, db: live.db }, place, () =>
      joinByInvite(live, caller.userId, given, welcome),
    )
  }),
  bind(viewReferralRoute, async ({ place }, { code }) => {
    const { referral } = await limitGuesses({ limits, db: live.db }, place, () => viewReferral(live.db, code))
    return referral
  }),
  bind(checkInviteCode, ({ caller, place }, { invite_code }) =>
    limitGuesses({ limits, db: live.db }, place, () =>
      checkCode(live.db, caller?.userId ?? null, invite_code),
    ),
  ),
  bindUser(myInviteCodes, async ({ caller, origin }) => {
    const { code, count } = await myCode(live.db, caller.userId)
    return { items: [{ code, url: `${origin}/user-invite/${code}`, count }] }
  }),
]
