/** The calls of invites. */
import { fail } from '@guildhall/wire/failure.ts'
import {
  joinGuild,
  viewInvite as viewInviteRoute,
  viewInviteV2 as viewInviteV2Route,
} from '@guildhall/wire/invite/invite.ts'
import type { Live } from '../kit/events.ts'
import { type Binding, bind, bindUser } from '../kit/http/binding.ts'
import { joinByInvite, viewInvite, type Welcome } from './invite.ts'

export const inviteRoutes = ({ live, welcome }: { live: Live; welcome: Welcome }): Binding[] => [
  bind(viewInviteRoute, ({ caller }, { id }) => viewInvite(live, caller?.userId ?? null, id)),
  bind(viewInviteV2Route, ({ caller }, { code }) => viewInvite(live, caller?.userId ?? null, code)),
  bindUser(joinGuild, ({ caller }, { id, code }) => {
    const given = id ?? code
    if (!given) throw fail('invite.invalid')
    return joinByInvite(live, caller.userId, given, welcome)
  }),
]
