/** The calls of logging in, sessions and the gateway address. */
import { logout, mobileLogin, sendCode } from '@guildhall/wire/auth/auth.ts'
import { login, sendCodeV2, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import {
  forgotPassword as forgotRoute,
  renameSelf as renameRoute,
  updateSelf as updateRoute,
  verifyMobile as verifyRoute,
} from '@guildhall/wire/auth/owner.ts'
import { thirdPartBindMobile, thirdPartLogin, wxSign } from '@guildhall/wire/auth/thirdParty.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { resumeUrl } from '@guildhall/wire/gateway/frame.ts'
import { gatewayIndex } from '@guildhall/wire/gateway/gateway.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bind, bindUser, type Context } from '../kit/http/binding.ts'
import type { Auth } from './auth.ts'
import { deviceRoutes } from './devices.ts'
import {
  describeSelf,
  forgotPassword,
  type OwnerDeps,
  renameSelf,
  updateSelf,
  verifyMobile,
} from './owner/owner.ts'
import { secondFactorRoutes } from './secondFactor/secondFactorRoutes.ts'
import { linkedRoutes } from './thirdParty/linked.ts'
import { wayRoutes } from './ways/routes.ts'

export const authRoutes = (auth: Auth, appContext: AppContext): Binding[] => [
  ...deviceRoutes(appContext),
  ...secondFactorRoutes(auth, appContext),
  ...wayRoutes(auth, appContext),
  bind(sendCode, (context, input) => requestCode(auth, context, input)),
  bind(sendCodeV2, (context, input) => requestCode(auth, context, input)),
  bind(mobileLogin, (context, { mobile_prefix, invite_code, second_factor, ...it }) =>
    bySms(auth, () =>
      auth.loginByCode(
        { ...it, prefix: mobile_prefix, inviteCode: invite_code, secondFactor: second_factor },
        context,
      ),
    ),
  ),
  bind(verifyCodeLogin, (context, { mobile_prefix, second_factor, ...it }) =>
    bySms(auth, () =>
      auth.loginByCode({ ...it, prefix: mobile_prefix, secondFactor: second_factor }, context),
    ),
  ),
  bind(login, (context, { mobile_prefix, second_factor, ...it }) =>
    auth.loginByPassword({ ...it, prefix: mobile_prefix, secondFactor: second_factor }, context),
  ),
  bind(thirdPartLogin, (context, { token_type, auth_code, second_factor, second_factor_proof, ...it }) =>
    auth.loginByThirdParty(
      {
        ...it,
        provider: token_type,
        code: auth_code,
        secondFactor: second_factor,
        proof: second_factor_proof,
      },
      context,
    ),
  ),
  bind(thirdPartBindMobile, (context, { bind_info, mobile_prefix, second_factor, ...it }) =>
    bySms(auth, () =>
      auth.bindThirdParty(
        { ...it, bindInfo: bind_info, prefix: mobile_prefix, secondFactor: second_factor },
        context,
      ),
    ),
  ),
  bind(wxSign, ({ origin, referer }, { url }) => auth.signPage(url || (referer ?? ''), origin)),
  bindUser(userState, (context) => auth.state(context.caller, context)),
  bindUser(logout, async ({ caller, network }) => {
    await auth.logOut(caller, network)
    return {}
  }),
  bindUser(gatewayIndex, async ({ caller, origin }, { compress, resume, sn, session_id }) => {
    const url = auth.gatewayUrl(origin, caller, compress === 0 ? 0 : 1)
    const resumes = resume === 1 && sn !== undefined && session_id !== undefined
    return { url: resumes ? resumeUrl(url, sn, session_id) : url }
  }),
]

/** Sends a code to a number, or one to confirm to the caller's own. */
async function requestCode(
  auth: Auth,
  { caller, network }: Context,
  { mobile, mobile_prefix, type, sign }: InputOf<typeof sendCode>,
): Promise<Record<string, never>> {
  await auth.sendCode(caller, { asked: { prefix: mobile_prefix, mobile }, type, sign, network })
  return {}
}

/** Runs what registers, or proves a number, by a message to it. @throws Failure auth.way_off */
async function bySms<T>(auth: Auth, act: () => Promise<T>): Promise<T> {
  auth.requireWay('sms')
  return act()
}

/** The calls about one's own number, password and name. */
export const ownerRoutes = ({ appContext, auth, ...hooks }: OwnerDeps): Binding[] => [
  ...linkedRoutes({ appContext, auth }),
  bindUser(verifyRoute, async ({ caller, network }, { mobile: it, owner, sign }) => {
    auth.requireWay('sms')
    const number = { prefix: it.mobile_prefix, mobile: it.mobile }
    await verifyMobile(appContext, auth, caller, { ...number, code: it.code, owner, sign }, network)
    return describeSelf(appContext, caller.userId)
  }),
  bindUser(renameRoute, async ({ caller }, { username }) => {
    await renameSelf({ appContext, ...hooks }, caller, username)
    return describeSelf(appContext, caller.userId)
  }),
  bindUser(updateRoute, async ({ caller, network }, { invite_code, cert_name, cert_code, ...it }) => {
    const isReal = cert_name !== undefined || cert_code !== undefined
    const realName = isReal ? { name: cert_name ?? '', number: cert_code ?? '' } : undefined
    await updateSelf(
      { appContext, auth, ...hooks },
      caller,
      { ...it, realName, inviteCode: invite_code },
      network,
    )
    return describeSelf(appContext, caller.userId)
  }),
  bind(forgotRoute, async ({ network }, { mobile_prefix, ...it }) => {
    auth.requireWay('sms')
    await forgotPassword(appContext, auth, { ...it, prefix: mobile_prefix }, network)
    return {}
  }),
]
