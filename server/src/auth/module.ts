/**
 * What the server has of logins: their calls, where a browser begins one at a third party, and the end of old
 * attempts.
 */
import type { Captcha } from '../captcha/captcha.ts'
import { HOURLY, type Module, type ModuleContext } from '../kit/module.ts'
import { type Auth, type AuthDeps, openAuth } from './auth.ts'
import type { OwnerDeps } from './owner/owner.ts'
import { authRoutes, ownerRoutes } from './routes.ts'
import { beginPage } from './thirdParty/beginPage.ts'

/** Who sends codes and who else logs people in; and what later nouns and the gateway do for logins. */
type AuthHooks = Required<
  Pick<
    AuthDeps,
    | 'sms'
    | 'thirdParties'
    | 'weixinTickets'
    | 'onPicture'
    | 'onRegistered'
    | 'onRevoked'
    | 'creditReferral'
    | 'limitGuesses'
    | 'isInvite'
  >
> &
  Pick<OwnerDeps, 'verifyRealName' | 'changeIdentity'>

export async function openAuthModule(
  { config, keys, appContext, log, metrics, security }: ModuleContext,
  captcha: Captcha,
  { verifyRealName, changeIdentity, ...hooks }: AuthHooks,
): Promise<Module & { readonly auth: Auth }> {
  const { db, presence, publicUrl } = appContext
  const auth = await openAuth({
    ...hooks,
    db,
    keys,
    log,
    captcha,
    presence,
    publicUrl,
    security,
    screens: appContext,
    smsRules: config.sms,
    ways: config.registration.ways,
  })
  metrics.sms.watchDay(() => auth.sentToday(), config.sms.dailyMax)
  return {
    auth,
    routes: [
      ...authRoutes(auth, appContext),
      ...ownerRoutes({ appContext, auth, verifyRealName, changeIdentity }),
    ],
    pages: [beginPage(auth)],
    schedules: [
      {
        name: 'delete-old-attempts',
        cron: HOURLY,
        run: () => Promise.all([auth.forgetOld(), captcha.forgetOld()]),
      },
    ],
  }
}
