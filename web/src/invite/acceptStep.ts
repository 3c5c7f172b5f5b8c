import type { channelType } from '@guildhall/wire/channel/channel.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import { type Environment, isInChatApp } from '../native/environment.ts'
import type { Shell } from '../native/shell.ts'

const VOICE: (typeof channelType)['voice'] = 2

/**
 * What accepting an invite does. `enter`: joins if need be and goes on in the page; `jumpGuild`, `joinAudio`:
 * joins if need be and shows the guild or the voice channel in the shell; `home`: keeps the invite for after
 * the login, which the shell has; `mask`: points to the system's browser; `openInApp`: the page that opens
 * the app, for iOS Safari; `openApp`: opens the app or its store;
 * `register`: registers in the page.
 */
export type AcceptStep =
  | 'enter'
  | 'jumpGuild'
  | 'joinAudio'
  | 'home'
  | 'mask'
  | 'openInApp'
  | 'openApp'
  | 'register'

/**
 * What the accept button does. `isOffered`: there is an app for this device. chat.md §4 "Accept button",
 * decision 67.
 */
export function acceptStep(
  environment: Environment,
  shell: Pick<Shell, 'has'> | null,
  { type, channel }: Pick<Invite, 'type' | 'channel'>,
  isLoggedIn: boolean,
  isOffered: boolean,
): AcceptStep {
  if (shell && !isLoggedIn) return 'home'
  if (shell && type === 'channel' && channel?.type === VOICE && shell.has('join_audio')) return 'joinAudio'
  if (shell?.has('jump_guild')) return 'jumpGuild'
  if (isLoggedIn) return 'enter'
  if (isInChatApp(environment)) return 'mask'
  if (!isOffered) return 'register'
  return environment.browser === 'safari' ? 'openInApp' : 'openApp'
}
