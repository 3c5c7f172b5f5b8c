/** What the server has of invites: their calls, their pages and short links. */
import type { InviteCode, UserId } from '@guildhall/wire/id.ts'
import type { Tx } from '../kit/database/db.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { viewInvite, type Welcome } from './invite.ts'
import { landingPage, type Notices, shortInviteLink, userInvitePage } from './landingPage.ts'
import { limitGuesses } from './limit.ts'
import { creditReferral, recordRegistration, viewReferral } from './referral.ts'
import { inviteRoutes } from './routes.ts'
import { shortAddressTarget } from './shortAddress.ts'

/** What logins do with the code of who brought somebody here. */
export const referralHooks = ({ live: { db }, limits, metrics }: AppContext) => ({
  creditReferral,
  limitGuesses: <T>(network: string, act: () => Promise<T>) => limitGuesses({ limits, db }, network, act),
  async onRegistered(tx: Tx, userId: UserId, code: string | null, source: number | null): Promise<void> {
    const via = await recordRegistration(tx, userId, { code, source })
    metrics.registrations.counted(source === null ? 'none' : String(source), via)
  },
})

interface InviteModule extends Module {
  /** Where a path leads at which there is nothing else; null: nowhere. `network`: the client's network. */
  readonly shortLink: (path: string, network: string) => Promise<string | null>
}

export function inviteModule(
  { live, limits, webDir }: AppContext,
  { welcome, notices }: { readonly welcome: Welcome; readonly notices: Notices },
): InviteModule {
  const counts = { limits, db: live.db }
  const viewAsGuest = (code: InviteCode, network: string) =>
    limitGuesses(counts, network, () => viewInvite(live, null, code))
  return {
    routes: inviteRoutes({ live, limits, welcome }),
    pages: [
      landingPage({ webDir, notices, view: viewAsGuest }),
      userInvitePage({
        webDir,
        view: (code, network) => limitGuesses(counts, network, () => viewReferral(live.db, code)),
      }),
    ],
    shortLink: async (path, network) =>
      (await shortAddressTarget(live.db, path)) ??
      (await shortInviteLink(path, (code) => viewAsGuest(code, network))),
  }
}
