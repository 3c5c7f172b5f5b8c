/** What the server has of invites: their calls, their pages and short links. */
import { Failure } from '@guildhall/wire/failure.ts'
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import { findGuild, recommendOf } from '../guild/guild.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import type { EndpointReply, EndpointRequest } from '../kit/http/endpoints.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { countMembers } from '../member/member.ts'
import { isRobot, renderGuildPage } from './guildPage.ts'
import { type JoinCaptcha, viewInvite, type Welcome } from './invite.ts'
import { landingPage, type Notices, shortInviteLink, userInvitePage } from './landingPage.ts'
import { limitGuesses } from './limit.ts'
import { checkCode, creditReferral, recordRegistration, viewReferral } from './referral.ts'
import { inviteRoutes } from './routes.ts'
import { findShortAddress, type ShortAddress } from './shortAddress.ts'

/** What logins do with the code of who brought somebody here. */
export const referralHooks = ({ appContext, limits, metrics }: ModuleContext) => ({
  creditReferral,
  limitGuesses: <T>(network: string, act: () => Promise<T>) =>
    limitGuesses({ limits, db: appContext.db }, network, act),
  /** Whether a code is that of an invite, or of a user, that brings people here now. */
  isInvite: (code: string, network: string): Promise<boolean> =>
    limitGuesses({ limits, db: appContext.db }, network, () => checkCode(appContext, null, code)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Failure && error.failure === 'referral.invalid') return false
        throw error
      },
    ),
  async onRegistered(tx: Tx, userId: UserId, code: string | null, source: number | null): Promise<void> {
    const via = await recordRegistration(tx, userId, { code, source })
    metrics.registrations.counted(source === null ? 'none' : String(source), via)
  },
})

interface InviteModule extends Module {
  /** What is at a path at which there is nothing else: a way on, or a page for robots; null: nothing. */
  readonly shortLink: (request: EndpointRequest) => Promise<EndpointReply | null>
}

export function inviteModule(
  { appContext, limits, webDir, dress }: ModuleContext,
  {
    welcome,
    captcha,
    notices,
  }: { readonly welcome: Welcome; readonly captcha: JoinCaptcha; readonly notices: Notices },
): InviteModule {
  const sources = { webDir, dress }
  const counts = { limits, db: appContext.db }
  const viewAsGuest = (code: InviteCode, network: string) =>
    limitGuesses(counts, network, () => viewInvite(appContext, null, code))
  return {
    routes: inviteRoutes({ appContext, limits, welcome, captcha }),
    pages: [
      landingPage({ sources, notices, view: viewAsGuest }),
      userInvitePage({
        sources,
        view: (code, network) => limitGuesses(counts, network, () => viewReferral(appContext, code)),
        notices,
      }),
    ],
    async shortLink(request) {
      const { path, network } = request
      const address = await findShortAddress(appContext.db, path)
      if (address && isRobot(request)) return guildPage(appContext.db, address, request)
      const target = address?.target ?? (await shortInviteLink(path, (code) => viewAsGuest(code, network)))
      return target === null ? null : { redirect: target }
    },
  }
}

/** Null: the guild is gone. */
async function guildPage(
  db: Db,
  { guildId, target }: ShortAddress,
  request: EndpointRequest,
): Promise<EndpointReply | null> {
  const guild = await findGuild(db, guildId)
  if (!guild?.custom_id) return null
  const members = await countMembers(db, guildId)
  const isPublic = (await recommendOf(db, guildId)) !== null
  const preview = { ...guild, customId: guild.custom_id, members, isPublic, target }
  return { status: 200, type: 'html', body: renderGuildPage(preview, request) }
}
