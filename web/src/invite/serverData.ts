import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'

/** The operator's notices, as the server wrote them into the page. */
export const servedNotices = (): Notices => boot<{ notices?: Notices }>()?.notices ?? []
type Notices = readonly { text: string; url: string }[]

function boot<T extends object>(): T | null {
  try {
    return JSON.parse(document.getElementById('boot')?.textContent ?? '')
  } catch {
    return null
  }
}

/** The invite, or the failure, that the server put into the page. */
export type ServerData = { invite: Invite } | { failure: string }

/**
 * What the server wrote into the page for this code (landingPage.ts); null when it wrote nothing, or for
 * another one.
 */
export function readBoot(code: string): object | null {
  const data = boot<{ code?: unknown }>()
  return data?.code === code ? data : null
}

/** The invite, or the failure, that the server rendered for this code. */
export function readServerData(code: string): ServerData | null {
  const data = readBoot(code)
  if (data === null) return null
  if ('failure' in data && typeof data.failure === 'string') return { failure: data.failure }
  const parsed = invite.safeParse('invite' in data ? data.invite : null)
  return parsed.success ? { invite: parsed.data } : null
}
