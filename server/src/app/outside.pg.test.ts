import { HOSTILE_LINKS, LOOKALIKE_LINKS } from '@guildhall/wire/fixtures/hostileLinks.ts'
import { goWildPath } from '@guildhall/wire/site/outside.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({
    TRUSTED_LINK_HOSTS: 'site.example, .wild.example',
    PUBLIC_URL: 'https://hall.example',
  })
})
afterAll(() => server?.close())

/** Where the server leads for a path; null: nowhere, it shows its page. */
async function leadsTo(path: string, host?: string): Promise<string | null> {
  const answer = await fetch(`${server.url}${path}`, {
    redirect: 'manual',
    headers: { accept: 'text/html', ...(host && { 'x-forwarded-host': host }) },
  })
  await answer.arrayBuffer()
  // 503 while the page is not built.
  expect([200, 302, 503]).toContain(answer.status)
  expect(answer.headers.has('location')).toBe(answer.status === 302)
  return answer.headers.get('location')
}

describe('the warning of other sites', () => {
  it('redirects for no hostile address, and for none that looks like a trusted one', async () => {
    for (const address of [...HOSTILE_LINKS, ...LOOKALIKE_LINKS])
      expect([address, await leadsTo(goWildPath(address))]).toEqual([address, null])
  })

  it('redirects for no address that is missing, doubled, or in another parameter', async () => {
    const site = encodeURIComponent('https://site.example/')
    for (const query of [
      '',
      '?',
      '?url',
      '?url=',
      `?url[]=${site}`,
      `?url=${site}&url=${site}`,
      `?URL=${site}`,
    ])
      expect([query, await leadsTo(`/go-wild${query}`)]).toEqual([query, null])
    expect(await leadsTo(goWildPath('https://evil.example/'), 'evil.example')).toBeNull()
  })

  it('redirects to the hosts that the operator trusts, and to this server', async () => {
    for (const address of [
      'https://site.example/a?b=c#d',
      'http://a.wild.example/',
      'https://hall.example/channels/1/2?m=3',
    ])
      expect(await leadsTo(goWildPath(address))).toBe(address)
    expect(await leadsTo(goWildPath('https://hall.example/公会'))).toBe(
      'https://hall.example/%E5%85%AC%E4%BC%9A',
    )
  })

  it.each([
    ['a', 3_900],
    ['&', 3_900],
    ['公', 3_900],
    ['公', 1_900],
    ['公', 900],
  ])('reads the path of an address however long it is: %s, %i times', async (letter, times) => {
    const path = goWildPath(`https://evil.example/${letter.repeat(times)}`)
    // A proxy such as nginx reads 8 KiB of one line.
    expect(path.length).toBeLessThan(8_100)
    expect(await leadsTo(path)).toBeNull()
  })
})
