import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'

export type Boot = { invite: Invite } | { failure: string }

/** What the server drew for this code and left beside it, or null when it drew something else or nothing. The
 * contract is in landing.css. */
export function readBoot(code: string): Boot | null {
  const words = document.getElementById('boot')?.textContent
  if (!words) return null
  let left: unknown
  try {
    left = JSON.parse(words)
  } catch {
    return null
  }
  if (typeof left !== 'object' || left === null || !('code' in left) || left.code !== code) return null
  if ('failure' in left && typeof left.failure === 'string') return { failure: left.failure }
  const seen = invite.safeParse('invite' in left ? left.invite : null)
  return seen.success ? { invite: seen.data } : null
}
