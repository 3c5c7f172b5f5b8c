/** Verifying one's real name, as people do it: against the local service. commerce.md §4, §5. */
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture(['Failed to load resource'])

/** The example of GB 11643. */
const NUMBER = '11010519491231002X'
const PATH = '/account/authentication'

async function save(page: Page, name: string, number = NUMBER): Promise<void> {
  await page.getByLabel('姓名').fill(name)
  await page.getByLabel('身份证号').fill(number)
  await page.getByRole('button', { name: '保存' }).click()
}

test('nobody verifies a name without a login', async () => {
  const { page } = await fixture.open(undefined)
  await page.goto(PATH)
  await expect(page).toHaveURL(/\/login/)
})

test('what is wrong is said beside it: by the page, by the service, by its failure, without network', async () => {
  const { page, context } = await fixture.open('owner', { theme: 'dark' })
  await page.goto(PATH)
  await expectAccessible(page)
  await save(page, 'Zhang San', '123')
  await expect(page.getByText('姓名有误')).toBeVisible()
  await expect(page.getByText('身份证号有误')).toBeVisible()
  await expect(page.getByLabel('姓名')).toBeFocused()
  await expectAccessible(page)
  await picture(page, 'real-name-wrong-dark')
  await save(page, '冒名')
  await expect(page.getByText('姓名与身份证号不一致')).toBeVisible()
  await save(page, '服务故障')
  await expect(page.getByText('网络错误，认证失败。')).toBeVisible()
  await context.setOffline(true)
  await save(page, '张三')
  await expect(page.getByText('网络错误，认证失败。')).toBeVisible()
  await context.setOffline(false)
})

for (const [theme, locale] of [
  ['light', 'zh-CN'],
  ['dark', 'en-US'],
] as const)
  test(`the pages are accessible, in the ${theme} theme, in ${locale}`, async () => {
    const page = await fixture.enter('admin', PATH, { theme, locale })
    for (const name of [/^(姓名|Name)$/, /^(身份证号|ID number)$/])
      await page.getByRole('textbox', { name }).waitFor()
    await expectAccessible(page)
    await picture(page, `real-name-${theme}-${locale}`)
  })

test('a name that fits is verified once, closes the app’s page after a moment, and is shown masked', async () => {
  const token = await fixture.server.login('member')
  const { page, context } = await fixture.open(undefined)
  await context.addInitScript((it) => {
    const calls: string[] = []
    Object.assign(window, {
      shellCalls: calls,
      GuildhallNative: {
        postMessage(text: string) {
          const { id, call } = JSON.parse(text) as { id: number; call: string }
          calls.push(call)
          const config = { token: it, theme: 'light', app_plantform: 'Android', version: '1.42.0' }
          const result =
            call === 'get_app_config' ? { ...config, calls: ['get_app_config', 'close_webview'] } : {}
          setTimeout(() =>
            (
              window as unknown as { GuildhallBridge: { receive(text: string): void } }
            ).GuildhallBridge.receive(JSON.stringify({ id, result })),
          )
        },
      },
    })
  }, token)
  await page.goto(PATH)
  await save(page, '张三', '110105 19491231 002x')
  await expect(page.getByText('认证成功')).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => (window as unknown as { shellCalls: string[] }).shellCalls))
    .toContain('close_webview')
  const own = await fixture.enter('member', PATH)
  await expect(own.getByText('已完成实名认证')).toBeVisible()
  await expect(own.getByText('*三')).toBeVisible()
  await expectAccessible(own)
  await picture(own, 'real-name-verified')
  await own.goto('/account')
  await expect(own.getByRole('link', { name: /实名认证\s*已认证/ })).toBeVisible()
})
