/** The calls of invites. */
import { fail } from '@guildhall/wire/failure.ts'
import { shortAddress } from '@guildhall/wire/guild/customId.ts'
import { joinGuild, viewInvite as viewInviteRoute } from '@guildhall/wire/invite/invite.ts'
import { viewInviteV2 as viewInviteV2Route } from '@guildhall/wire/invite/inviteCard.ts'
import {
  createInvite,
  deleteInvite as deleteInviteRoute,
  listInvites as listInvitesRoute,
  listInvitesV2,
} from '@guildhall/wire/invite/manage.ts'
import {
  checkInviteCode,
  myInviteCodes,
  viewReferral as viewReferralRoute,
} from '@guildhall/wire/invite/referral.ts'
import { setCustomId as setCustomIdRoute } from '@guildhall/wire/invite/shortAddress.ts'
import { LIST_SIZE_MAX } from '@guildhall/wire/page.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bind, bindUser } from '../kit/http/binding.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import { type JoinCaptcha, joinByInvite, viewInvite, type Welcome } from './invite.ts'
import { limitGuesses } from './limit.ts'
import { createInviteTo, deleteInvite, listInvites } from './manage.ts'
import { checkCode, myCode, viewReferral } from './referral.ts'
import { setCustomId } from './shortAddress.ts'

export const inviteRoutes = ({
  appContext,
  limits,
  welcome,
  captcha,
}: {
  appContext: AppContext
  limits: Limits
  welcome: Welcome
  captcha: JoinCaptcha
}): Binding[] => [
  bind(viewInviteRoute, ({ caller, network }, { id }) =>
    limitGuesses({ limits, db: appContext.db }, network, () =>
      viewInvite(appContext, caller?.userId ?? null, id),
    ),
  ),
  bind(viewInviteV2Route, ({ caller, network }, { code }) =>
    limitGuesses({ limits, db: appContext.db }, network, () =>
      viewInvite(appContext, caller?.userId ?? null, code),
    ),
  ),
  bindUser(joinGuild, ({ caller, network }, { id, code, sign }) => {
    const given = id ?? code
    if (!given) throw fail('invite.invalid')
    return limitGuesses({ limits, db: appContext.db }, network, () =>
      joinByInvite(appContext, caller.userId, given, {
        welcome,
        requireCaptcha: () => captcha.requireOf(network, sign),
      }),
    )
  }),
  bindUser(setCustomIdRoute, async ({ caller, origin }, { guild_id, custom_id: customId }) => {
    await setCustomId(appContext, caller.userId, { guildId: guild_id, customId })
    return { custom_id: customId, url: customId === '' ? '' : `${origin}${shortAddress(customId)}` }
  }),
  bindUser(listInvitesRoute, ({ caller, origin }, { page_size, ...it }) =>
    listInvites(appContext, caller.userId, { ...it, size: page_size, origin }),
  ),
  bindUser(listInvitesV2, async ({ caller, origin }, it) => {
    const { items } = await listInvites(appContext, caller.userId, {
      ...it,
      page: 1,
      size: LIST_SIZE_MAX,
      origin,
    })
    return items
  }),
  bindUser(createInvite, async ({ caller, origin }, { duration, setting_times, role_id, ...target }) => {
    const code = await createInviteTo(appContext, caller.userId, {
      ...target,
      duration,
      times: setting_times,
      roleId: role_id,
    })
    return { url: `${origin}/${code}`, url_code: code }
  }),
  bindUser(deleteInviteRoute, async ({ caller, network }, { url_code }) => {
    await limitGuesses({ limits, db: appContext.db }, network, () =>
      deleteInvite(appContext, caller.userId, url_code),
    )
    return {}
  }),
  bind(viewReferralRoute, ({ network }, { code }) =>
    limitGuesses({ limits, db: appContext.db }, network, () => viewReferral(appContext, code)),
  ),
  bind(checkInviteCode, ({ caller, network }, { invite_code }) =>
    limitGuesses({ limits, db: appContext.db }, network, () =>
      checkCode(appContext, caller?.userId ?? null, invite_code),
    ),
  ),
  bindUser(myInviteCodes, async ({ caller, origin }) => {
    const { code, count } = await myCode(appContext.db, caller.userId)
    return { items: [{ code, url: `${origin}/user-invite/${code}`, count }] }
  }),
]
