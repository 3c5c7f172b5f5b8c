/** The staff console: the numbers of this site. Decision 84. */
import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture()

/** Half a year of a house that grows, up to yesterday. */
test.beforeAll(async () => {
  await fixture.server.command('numbers show')
  await sql`
    insert into number_day (day, registrations, active, messages, messages_until, orders, paid_orders, gross_wechat, gross_alipay,
      refunds_wechat, refunds_alipay, counted_at, is_final)
    select to_char(now() at time zone 'Asia/Shanghai' - n * interval '1 day', 'YYYY-MM-DD'), 180 - n + n % 7 * 5, 2000 - 6 * n + n % 7 * 90,
      90000 - 300 * n + n % 5 * 4000, 0, 60 - n % 9, 50 - n % 9, (50 - n % 9) * 1800, (30 - n % 4) * 1500, n % 3 * 1800, n % 5 * 900, 1, true
    from generate_series(1, 180) n on conflict do nothing`.execute(fixture.server.database.db)
})

test('the numbers are charts that are read as tables, compared with the period before, and saved as a table', async () => {
  const page = await openConsole(fixture, '/staff/numbers')
  const rows = page.getByRole('table', { name: '注册' }).locator('tr')
  await expect(rows).toHaveCount(31)
  await expect(page.getByText(/较上期 [+-]/).first()).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-numbers-desk')
  await page.getByLabel('范围').selectOption('90')
  await expect(rows).toHaveCount(91)
  await picture(page, 'staff-numbers-desk-90', 'page')
  await page.getByLabel('范围').selectOption('7')
  await expect(rows).toHaveCount(8)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载 CSV' }).click()
  const saved = await readFile(await (await download).path(), 'utf8')
  expect(saved.startsWith('\ufeff日期,注册,')).toBe(true)
  expect(saved.trim().split('\r\n')).toHaveLength(8)
})

test('on a phone in the dark, in English', async () => {
  const page = await openConsole(fixture, '/staff/numbers?days=90', {
    isDesk: false,
    theme: 'dark',
    locale: 'en-US',
  })
  await expect(page.getByRole('table', { name: 'Registrations' }).locator('tr')).toHaveCount(91)
  await expectAccessible(page)
  await picture(page, 'staff-numbers-phone-dark', 'page')
})
