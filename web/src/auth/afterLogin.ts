import { readStored } from '../kit/browser/storage.ts'
import { paths } from '../kit/paths.ts'
import { safeRedir } from '../kit/redir.ts'

/**
 * Where to go after a login: to the `redir` of the address when it stays on this site, else to the invite
 * that was accepted before logging in, else to the guilds. chat.md §4 "Login flow".
 */
export function afterLogin(search: string): { path: string } | { join: { id: string; code: string } } {
  const redir = safeRedir(new URLSearchParams(search).get('redir'))
  // These pages would lead to themselves.
  if (redir && !/^\/(?:login|bindmobile)/.test(redir)) return { path: redir }
  const join = readStored('pending_join')
  return join ? { join } : { path: paths.channels() }
}
