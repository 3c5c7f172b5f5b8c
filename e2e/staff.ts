/** The staff console, as its journeys open it. */
import type { Page } from '@playwright/test'
import type { DemoPerson } from '../server/src/demo/world.ts'
import { secondFactorOf } from '../server/src/testing/calls.ts'
import type { Fixture, FixtureOptions } from './fixture.ts'

/**
 * Fills the login of the console in with what somebody of the demo world knows, and a code of their
 * authenticator.
 */
export async function logIn(page: Page, fixture: Fixture, person: DemoPerson): Promise<void> {
  const code = await secondFactorOf(fixture.server.database.db, person)
  await page.locator('[name=mobile]').fill(person.mobile)
  await page.locator('[name=password]').fill(person.password)
  await page.locator('[name=second_factor]').fill(code ?? '')
  await page.locator('[type=submit]').click()
}

/** The console at a path, with somebody logged in: the demo's member of staff, unless it is named. */
export async function openConsole(
  fixture: Fixture,
  path: string,
  { who = fixture.server.person('staff'), ...options }: FixtureOptions & { readonly who?: DemoPerson } = {},
): Promise<Page> {
  const { page } = await fixture.open(undefined, { isDesk: true, ...options })
  await page.goto(path)
  await logIn(page, fixture, who)
  await page.getByRole('navigation', { name: /^(工作台导航|Sections of the console)$/ }).waitFor()
  return page
}
