import { CLIENT_SOURCE_HEADER } from '@guildhall/wire/auth/source.ts'
import { environmentOf } from '../environment.ts'

/** Hosts, a group for each source from 1 on; the fourth, the product itself, is no host of these. */
const SITES =
  /(?:^|\.)(?:(weibo)|(bilibili|douyin|kuaishou|youtube)|(qq|telegram|whatsapp)|(:)|(discord|yy))\.(?:com|cn|org)$/

/**
 * Where the user of this page comes from, by the app that shows it and the page before it. chat.md §3
 * "Referrer/source options".
 */
export function sourceOf(userAgent: string, referrer: string, here: string): number {
  const { browser } = environmentOf({ userAgent, touchPoints: 0, hasShellObject: false })
  if (browser === 'wechat' || browser === 'qq') return 6
  const host = referrer.split(/[/:?#]+/)[1] ?? ''
  if (host && host === here) return 4
  return SITES.exec(host)?.findIndex((found, source) => source > 0 && found) ?? 0
}

/** The header of calls that may make an account. */
export const sourceHeaders: Readonly<Record<string, string>> = {
  [CLIENT_SOURCE_HEADER]: String(sourceOf(navigator.userAgent, document.referrer, location.hostname)),
}
