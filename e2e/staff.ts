/** The staff console, as its journeys open it. */
import type { Page } from '@playwright/test'
import type { CastMember } from '../server/src/demo/world.ts'
import { secondFactorOf } from '../server/src/testing/calls.ts'
import type { Stage, StageOptions } from './stage.ts'

/**
 * Fills the login of the console in with what somebody of the cast knows, and a code of their authenticator.
 */
export async function logIn(page: Page, stage: Stage, person: CastMember): Promise<void> {
  const code = await secondFactorOf(stage.server.database.db, person)
  await page.locator('[name=mobile]').fill(person.mobile)
  await page.locator('[name=password]').fill(person.password)
  await page.locator('[name=second_factor]').fill(code ?? '')
  await page.locator('[type=submit]').click()
}

/** The console at a path, with somebody logged in: the demo's member of staff, unless it is named. */
export async function openConsole(
  stage: Stage,
  path: string,
  { who = stage.server.person('staff'), ...options }: StageOptions & { readonly who?: CastMember } = {},
): Promise<Page> {
  const { page } = await stage.open(undefined, { isDesk: true, ...options })
  await page.goto(path)
  await logIn(page, stage, who)
  await page.getByRole('navigation', { name: /^(工作台导航|Sections of the console)$/ }).waitFor()
  return page
}
