import { pages, pagesForRobots } from '@guildhall/wire/pages.ts'
import { describe, expect, it } from 'vitest'
import { robotsText } from './robots.ts'

/** Whether robots may read an address: the longest rule counts; `$` is the end of the address. */
function isRead(address: string): boolean {
  const rules = robotsText({ siteMap: null })
    .split('\n')
    .flatMap((line) => /^Disallow: (.*)$/.exec(line)?.[1] ?? [])
  return !rules.some((rule) =>
    rule.endsWith('$') ? address === rule.slice(0, -1) : address.startsWith(rule),
  )
}

describe('robots', () => {
  it.each([
    '/api/v3/guild/list',
    '/dev/outbox?mobile=1',
    '/gateway',
    '/metrics',
    '/staff',
    '/staff/people/1',
    '/channels',
    '/channels/1/2?m=3',
    '/chats/with/1',
    '/friends',
    '/account',
    '/account/devices',
    '/guild/profile/1',
    '/pay?id=secret',
    '/payment/successful',
    '/login?redir=x',
    '/app/channels/1',
  ])('do not read %s', (address) => {
    expect(isRead(address)).toBe(false)
  })

  it.each([
    '/',
    '/discover',
    '/terms',
    '/privacy',
    '/licenses',
    '/g/star-sea',
    '/download',
    // That it is not kept, they read there.
    '/invite/ABCDEFGH',
    '/user-invite/ABCDEFGH',
    // Codes of invites, files, and names that begin like a page.
    '/payABCDE',
    '/apple-touch-icon.png',
    '/assets/index.js',
  ])('read %s', (address) => {
    expect(isRead(address)).toBe(true)
  })

  it('are told of the map where there is one', () => {
    expect(robotsText({ siteMap: null })).not.toContain('Sitemap')
    expect(robotsText({ siteMap: 'https://hall.example/sitemap.xml' })).toContain(
      '\nSitemap: https://hall.example/sitemap.xml\n',
    )
  })

  it('read none of the pages of which the table does not say so', () => {
    const open: readonly string[] = pagesForRobots
    for (const address of Object.keys(pages))
      expect([address, isRead(address.replace(/[:*]\w*/g, '1'))]).toEqual([address, open.includes(address)])
  })
})
