import { isInviteCode } from '@guildhall/wire/id.ts'
import { paths } from '../../kit/paths.ts'
import { appTarget } from '../../native/openApp/appAddress.ts'

/** What the page that opens the app is asked to open. */
export interface OpenedLocation {
  /** A path that the app knows; `/`: the app itself. */
  readonly path: string
  /** As it was asked for, where that names a guild without an id; otherwise `path`. */
  readonly asked: string
  /** Where whoever stays in the browser goes on. */
  readonly onWeb: string
  readonly isInvite: boolean
  /** The code of an invite into a guild. */
  readonly invite: string | null
  readonly guildId: string | null
}

/**
 * Reads `/oia/invite/CODE`, `/oia/channels/GUILD/CHANNEL`, `/oia?invite=CODE` and `/oia?guild=ID&channel=ID`;
 * all else is the app itself.
 */
export function openedLocation(pathname: string, search: string): OpenedLocation {
  const asked = askedPath(pathname, new URLSearchParams(search))
  const path = appTarget(asked)
  const [, kind = '', id = ''] = path.split('/')
  const invite = kind === 'invite' ? id : null
  return {
    path,
    asked: path === '/' && asked.startsWith('/channels') ? '/channels/' : path,
    // As somebody without the app reads it: it goes on in the browser.
    onWeb: invite ? `${paths.invite(invite)}?web` : path,
    isInvite: kind.endsWith('invite'),
    invite,
    guildId: kind === 'channels' ? id : null,
  }
}

function askedPath(pathname: string, query: URLSearchParams): string {
  const invite = query.get('invite')
  if (invite !== null) return isInviteCode(invite) ? paths.invite(invite) : '/'
  const guild = query.get('guild')
  if (guild === null) return pathname.replace(/^\/oia/, '').replace(/\/$/, '')
  const channel = query.get('channel')
  return channel ? paths.room(guild, channel) : paths.guild(guild)
}
