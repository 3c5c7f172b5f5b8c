import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'

/** The invite, or the failure, that the server put into the page. */
export type ServerData = { invite: Invite } | { failure: string }

/** What the server wrote into the page for this code (landingPage.ts); null when it wrote nothing, or for another one. */
export function readBoot(code: string): object | null {
  const json = document.getElementById('boot')?.textContent
  if (!json) return null
  let data: unknown
  try {
    data = JSON.parse(json)
  } catch {
    return null
  }
  return typeof data === 'object' && data !== null && 'code' in data && data.code === code ? data : null
}

/** The invite, or the failure, that the server rendered for this code. */
export function readServerData(code: string): ServerData | null {
  const data = readBoot(code)
  if (data === null) return null
  if ('failure' in data && typeof data.failure === 'string') return { failure: data.failure }
  const parsed = invite.safeParse('invite' in data ? data.invite : null)
  return parsed.success ? { invite: parsed.data } : null
}
