import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'

/** The invite, or the failure, that the server put into the page. */
export type ServerData = { invite: Invite } | { failure: string }

/** Reads what the server rendered for this code (landingPage.ts); null when it rendered another one or nothing. */
export function readServerData(code: string): ServerData | null {
  const json = document.getElementById('boot')?.textContent
  if (!json) return null
  let data: unknown
  try {
    data = JSON.parse(json)
  } catch {
    return null
  }
  if (typeof data !== 'object' || data === null || !('code' in data) || data.code !== code) return null
  if ('failure' in data && typeof data.failure === 'string') return { failure: data.failure }
  const parsed = invite.safeParse('invite' in data ? data.invite : null)
  return parsed.success ? { invite: parsed.data } : null
}
