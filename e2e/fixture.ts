/**
 * What the journeys of a file share: a server, a browser, and the phones that are closed after each journey.
 */
import { type Browser, expect, type Page, test } from '@playwright/test'
import type { PersonName } from '../server/src/demo/world.ts'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { openBrowser, openPhone, type Phone } from './phone.ts'

/** `url`: another address of the server, such as that of a network in between. */
export type FixtureOptions = NonNullable<Parameters<typeof openPhone>[2]> & { readonly url?: string }

export interface Fixture {
  readonly server: TestServer
  /** A phone, or a desk, with nobody logged in, or with somebody of the demo world. It shows no page yet. */
  open(who: PersonName | undefined, options?: FixtureOptions): Promise<Phone>
  /** A phone, or a desk, with somebody of the demo world logged in, at a path. */
  enter(who: PersonName, path: string, options?: FixtureOptions): Promise<Page>
}

/**
 * Opens the fixture before the journeys of the calling file. After each journey its phones close, and none
 * may have complained;
 * `tolerated`: parts of complaints that a journey causes on purpose. `env`: variables of the server.
 */
export function useFixture(tolerated: readonly string[] = [], env: Record<string, string> = {}): Fixture {
  let server: TestServer
  let browser: Browser
  const phones: Phone[] = []
  // What records a failed test reads pictures again, which the page's policy refuses.
  const ignored = ["Connecting to 'blob:", ...tolerated]

  test.beforeAll(async () => {
    server = await openTestServer(env)
    browser = await openBrowser()
  })
  test.afterAll(async () => {
    await browser?.close()
    await server?.close()
  })
  test.afterEach(async () => {
    const complaints = phones
      .flatMap((phone) => phone.complaints)
      .filter((it) => !ignored.some((part) => it.includes(part)))
    for (const phone of phones.splice(0)) await phone.close()
    expect(complaints).toEqual([])
  })

  const open: Fixture['open'] = async (who, { url = server.url, ...options } = {}) => {
    const phone = await openPhone(browser, url, options)
    phones.push(phone)
    if (who) {
      const token = await server.login(who)
      await phone.context.addInitScript((it) => localStorage.setItem('authorization', it), token)
    }
    return phone
  }
  return {
    get server() {
      return server
    },
    open,
    async enter(who, path, options) {
      const { page } = await open(who, options)
      await page.goto(path)
      return page
    },
  }
}
