/**
 * The nouns of the server, in their order, each made from the parts below and from what it asks of others.
 */

import type { SandboxAccess } from '@guildhall/sandbox/sandbox.ts'
import { changeIdentity, holderNotifier, identityDeps } from '../account/account.ts'
import { accountModule } from '../account/module.ts'
import { assetModule } from '../asset/module.ts'
import { auditModule } from '../audit/module.ts'
import type { Auth } from '../auth/auth.ts'
import { openAuthModule } from '../auth/module.ts'
import { everyBooster } from '../boost/boost.ts'
import { botModule } from '../bot/module.ts'
import { buffSince } from '../buff/buff.ts'
import type { Captcha } from '../captcha/captcha.ts'
import { openCaptchaModule } from '../captcha/module.ts'
import { emitChannels } from '../channel/channel.ts'
import { channelModule } from '../channel/module.ts'
import { notifyFromOfficialAccount } from '../chat/chat.ts'
import { chatModule } from '../chat/module.ts'
import { couponModule } from '../coupon/module.ts'
import { emojiModule } from '../emoji/module.ts'
import { entitlementModule } from '../entitlement/module.ts'
import { friendModule } from '../friend/module.ts'
import { growthModule } from '../growth/module.ts'
import { spellingOf } from '../guild/guild.ts'
import { guildModule } from '../guild/module.ts'
import { inviteModule, referralHooks } from '../invite/module.ts'
import type { StaffGate } from '../kit/http/calls.ts'
import type { HttpOptions } from '../kit/http/server.ts'
import type { Module } from '../kit/module.ts'
import { countMembers, notifyRestored } from '../member/member.ts'
import { memberModule } from '../member/module.ts'
import { messageModule } from '../message/module.ts'
import { moderationModule } from '../moderation/module.ts'
import { onboardingModule } from '../onboarding/module.ts'
import { orderModule } from '../order/module.ts'
import type { SafeFetch } from '../outside/safeFetch.ts'
import { payModule } from '../pay/module.ts'
import { profileModule } from '../profile/module.ts'
import { realNameModule } from '../realname/module.ts'
import { renewalModule } from '../renewal/module.ts'
import { reportModule } from '../report/module.ts'
import { ownReports } from '../report/report.ts'
import { roleModule } from '../role/module.ts'
import { requireGuildRight } from '../role/role.ts'
import { screeningModule } from '../screening/module.ts'
import { searchModule } from '../search/module.ts'
import { siteModule } from '../site/module.ts'
import type { SiteFace } from '../site/site.ts'
import { staffModule, staffRedeemRecorder } from '../staff/module.ts'
import { userModule } from '../user/module.ts'
import { type Codes, openCodes } from './adapters/codes.ts'
import { openApple, openPayProviders, payerPictureOf, weixinPayerOf } from './adapters/payProviders.ts'
import { openRealNames } from './adapters/realName.ts'
import { openThirdParties, type ThirdParties } from './adapters/thirdParties.ts'
import type { Below } from './context.ts'
import { sessionCloser } from './hooks.ts'
import { housekeeping } from './housekeeping.ts'
import { noticesOf, siteInfoOf } from './pages/siteInfo.ts'
import { endNotifier, kindsOf, ownersOf, payDepsOf, soldModules } from './payments.ts'

/** The modules, and what of them the HTTP server, the gateway and the pages for developers ask. */
export interface Modules {
  readonly all: readonly Module[]
  readonly auth: Auth
  readonly captcha: Captcha
  readonly codes: Codes
  readonly thirdParties: ThirdParties
  readonly staffGate: StaffGate
  readonly shortLink: NonNullable<HttpOptions['shortLink']>
}

interface Outside {
  readonly safeFetch: SafeFetch | null
  readonly sandbox: SandboxAccess | null
  readonly face: SiteFace
}

export async function openModules(below: Below, outside: Outside): Promise<Modules> {
  const early = await openEarly(below, outside)
  const { auth, captcha, codes, thirdParties, invite, staff } = early
  return {
    all: await inOrder(below, early),
    auth: auth.auth,
    captcha: captcha.captcha,
    codes,
    thirdParties,
    staffGate: staff.gate,
    shortLink: invite.shortLink,
  }
}

/** What is made before its turn, because other nouns ask it for something. */
async function openEarly({ context, cluster, stores, screening }: Below, outside: Outside) {
  const { config } = context
  const { assets, addresses } = stores
  const closeSessions = sessionCloser(cluster.gateway, cluster.nodes)
  const notify = holderNotifier(context)
  const kinds = kindsOf(context)
  const codes = openCodes(config, context)
  const thirdParties = openThirdParties(config)
  const providers = await openPayProviders(config, outside.sandbox)
  const pay = payDepsOf(context, { kinds, providers })

  const realName = realNameModule(context, openRealNames(config))
  const asset = assetModule(context, stores)
  const message = messageModule(context, { assets, safeFetch: outside.safeFetch })
  const { pipeline, fetchPicture, welcome } = message
  const captcha = await openCaptchaModule(context)
  const auth = await openAuthModule(context, captcha.captcha, {
    ...referralHooks(context),
    sms: codes.sms,
    thirdParties: thirdParties.providers,
    weixinTickets: thirdParties.tickets,
    onPicture: asset.fetchFirstPicture,
    onRevoked: closeSessions,
    verifyRealName: realName.verify,
    changeIdentity: (tx, emit, userId, identity) =>
      changeIdentity(tx, emit, identityDeps(context), userId, identity),
  })
  const invite = inviteModule(context, { welcome, captcha: captcha.captcha, notices: noticesOf(config) })
  const { words } = screening
  const staff = staffModule(context, {
    auth: auth.auth,
    pay,
    notify,
    addresses,
    words,
    pipeline,
    fetchPicture,
  })
  return {
    closeSessions,
    notify,
    kinds,
    codes,
    thirdParties,
    pay,
    realName,
    asset,
    message,
    captcha,
    auth,
    invite,
    staff,
    face: outside.face,
  }
}

/** The modules of the nouns, each after those that it calls. */
async function inOrder(
  { context, stores, screening }: Below,
  early: Awaited<ReturnType<typeof openEarly>>,
): Promise<readonly Module[]> {
  const { config, appContext } = context
  const { assets, addresses } = stores
  const { closeSessions, notify, kinds, thirdParties, pay, message, auth } = early
  const { pipeline, fetchPicture, welcome } = message
  const profile = profileModule(context, { welcome, captcha: early.captcha.captcha })
  return [
    userModule(context, { closeSessions }),
    early.captcha,
    auth,
    early.realName,
    early.asset,
    friendModule(context, { owners: ownersOf(appContext.db), spellingOf }),
    auditModule(context, { requireGuildRight }),
    guildModule(context, {
      countMembers,
      notifyRestored,
      notify: (tx, emit, to, text) => notifyFromOfficialAccount(appContext, tx, emit, { to, text }),
    }),
    roleModule(context, { emitChannels }),
    onboardingModule(context),
    emojiModule(context, assets),
    channelModule(context),
    memberModule(context, { boostersOf: everyBooster, buffSince }),
    early.invite,
    message,
    chatModule(context, { addresses, pipeline, fetchPicture }),
    screeningModule(context, screening),
    moderationModule(context, { addresses, pipeline, fetchPicture }),
    searchModule(context, { addresses }),
    orderModule(context, kinds),
    payModule(context, pay, {
      weixin: weixinPayerOf(config, thirdParties.providers),
      payerPicture: payerPictureOf(config.publicUrl, fetchPicture),
    }),
    entitlementModule(context, endNotifier(notify)),
    ...soldModules(context, pay),
    renewalModule(context, pay, await openApple(config)),
    couponModule(context, { kinds, onStaff: staffRedeemRecorder(context) }),
    accountModule(context, { auth: auth.auth, addresses, ownReports }),
    botModule(context),
    profile,
    growthModule(context),
    reportModule(context),
    early.staff,
    await siteModule(context, {
      info: siteInfoOf(config, early.face),
      face: early.face,
      publicGuilds: profile.publicGuilds,
    }),
    housekeeping(context),
  ]
}
