import { latestVersion } from '@guildhall/wire/site/site.ts'
import { call } from '../kit/call.ts'

/** The platform that has a store for this browser: iPads ask for pages as Macs do, but have a touch screen. */
export function storeOf(userAgent: string, touchPoints: number): 'ios' | 'android' | null {
  if (/Android/.test(userAgent)) return 'android'
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  return /Macintosh/.test(userAgent) && touchPoints > 1 ? 'ios' : null
}

/** The app's address in the store of this phone; null without one. Never rejects. chat.md §7 "latest-version", §9. */
export async function storeLink(): Promise<string | null> {
  const platform = storeOf(navigator.userAgent, navigator.maxTouchPoints)
  if (platform === null) return null
  const answer = await call(latestVersion, { platform }).catch(() => null)
  return answer && /^https?:\/\//.test(answer.url) ? answer.url : null
}
