/**
 * What the accept button does where it does not just join: loaded before the tap, or with it. chat.md §4,
 * decision 67.
 */
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import { isLoggedIn } from '../auth/auth.ts'
import { writeStored } from '../kit/browser/storage.ts'
import { paths } from '../kit/paths.ts'
import { here } from '../native/environment.ts'
import { hasApp } from '../native/openApp/appOffer.ts'
import { loadNativeApp, openApp, showInShell } from '../native/openApp/openApp.ts'
import { shell } from '../native/shell.ts'
import { type AcceptStep, acceptStep } from './acceptStep.ts'

/** An invite as its page shows it. */
export interface ShownInvite {
  readonly code: string
  readonly invite: Invite
  /** The person chose the web before, so no app is opened. */
  readonly isOnWeb: boolean
}

export function stepOf({ invite, isOnWeb }: Pick<ShownInvite, 'invite' | 'isOnWeb'>): AcceptStep {
  const environment = here()
  return acceptStep(environment, shell(), invite, isLoggedIn(), !isOnWeb && hasApp(environment))
}

/** Loads what the tap of somebody who is not logged in needs. Never rejects. */
export async function prepareAccepting(shown: Pick<ShownInvite, 'invite' | 'isOnWeb'>): Promise<void> {
  const step = stepOf(shown)
  if (step === 'openApp' || step === 'openInApp') await loadNativeApp()
}

/** Accepts as somebody who is not logged in. */
export async function acceptAsGuest(
  shown: ShownInvite,
  page: {
    readonly go: (path: string, isStep?: boolean) => void
    readonly show: (what: 'mask' | 'register') => void
  },
): Promise<void> {
  const path = paths.invite(shown.code)
  switch (stepOf(shown)) {
    case 'home':
      writeStored('pending_join', { id: shown.invite.guild.id, code: shown.code })
      return page.go('/home')
    case 'mask':
      return page.show('mask')
    case 'openInApp':
      return page.go(paths.openInApp(path), true)
    case 'openApp': {
      const ended = await openApp(path, { copied: location.origin + path })
      return ended === 'nothing' ? page.show('register') : undefined
    }
    default:
      return page.show('register')
  }
}

/** Shows the location of an accepted invite in the shell; false where the page has to. */
export async function enterInShell(invite: Invite): Promise<boolean> {
  const step = stepOf({ invite, isOnWeb: false })
  if (step !== 'joinAudio' && step !== 'jumpGuild') return false
  const goal = (invite.type === 'channel' && invite.channel?.id) || null
  return showInShell(invite.guild.id, goal, step === 'joinAudio')
}
