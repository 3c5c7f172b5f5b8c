/** A desk by keys alone, from the login to the settings. */
import { expect, type Locator, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { expectDesk, expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()

/** Presses Tab, or Shift and Tab, until an element has the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press(key)
    if (await target.evaluate((it) => it === document.activeElement)) return
  }
  await expect(target).toBeFocused()
}

/** Goes to what the switcher finds first. */
async function switchTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: /^(快速跳转|Go to)$/ })).toBeFocused()
  await page.keyboard.type(name)
  await expect(page.getByRole('option', { selected: true })).toContainText(name)
  await page.keyboard.press('Enter')
}

for (const [width, locale, theme] of [
  [900, 'zh-CN', 'light'],
  [1280, 'en-US', 'dark'],
  [1920, 'zh-CN', 'light'],
] as const)
  test(`with keys alone one logs in, talks and changes a setting at ${width} px`, async () => {
    const { page } = await fixture.open(undefined, { isDesk: true, locale, theme })
    const t = (chinese: string, english: string) => (locale === 'zh-CN' ? chinese : english)
    const message = (words: string) => page.locator('[data-part=message]', { hasText: words })
    await page.setViewportSize({ width, height: 800 })
    const said = `宽 ${width}`
    await fixture.server.as('owner').say(fixture.server.channel('夜宵'), `${said} 的问题`)

    const { mobile, password } = fixture.server.world.people.member!
    await page.goto('/login')
    await tabTo(page, page.getByRole('tab', { name: t('密码登录', 'Password login') }))
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByLabel(t('手机号', 'Mobile number')))
    await page.keyboard.type(mobile)
    await tabTo(page, page.getByLabel(t('密码', 'Password'), { exact: true }))
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    const field = page.locator('[data-part=composer-input]')
    await expect(field).toBeFocused()
    await expectDesk(page)

    await switchTo(page, '夜宵')
    await expect(page.getByRole('heading', { name: '夜宵', exact: true })).toBeVisible()
    await expect(message(`${said} 的问题`)).toBeVisible()
    await expect(field).toBeFocused()

    // Back from the field to the newest message, whose menu replies.
    await tabTo(page, message(`${said} 的问题`), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('button', { name: t('回复', 'Reply'), exact: true }))
    await page.keyboard.press('Enter')
    await expect(field).toBeFocused()
    await page.keyboard.type(`${said} 的回答`)
    await page.keyboard.press('Enter')
    await expect(message(`${said} 的回答`).last()).toContainText(`${said} 的问题`)

    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('textbox', { name: t('编辑消息', 'Edit message') })).toBeFocused()
    await page.keyboard.type('，改过')
    await page.keyboard.press('Enter')
    await expect(message(`${said} 的回答，改过`)).toHaveCount(1)

    await tabTo(page, message(`${said} 的回答，改过`), 'Shift+Tab')
    await page.keyboard.press('Enter')
    await tabTo(page, page.locator('[data-part=quick-emoji]').first())
    await page.keyboard.press('Enter')
    await expect(message(`${said} 的回答，改过`).getByRole('button', { name: /👍/ })).toBeVisible()

    await tabTo(page, field)
    const attach = page.getByRole('button', { name: t('添加图片或文件', 'Add pictures or files') })
    // Before the key: what waits for it begins to listen a moment later.
    const chosen = page.waitForEvent('filechooser')
    await tabTo(page, attach, 'Shift+Tab')
    await page.keyboard.press('Enter')
    const create = { width: 64, height: 48, channels: 3, background: '#2d7' } as const
    await (await chosen).setFiles({
      name: 'green.png',
      mimeType: 'image/png',
      buffer: await sharp({ create }).png().toBuffer(),
    })
    await page.locator('[data-part=attachment]').waitFor()
    await tabTo(page, field)
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-part=message]').last().locator('[data-part=picture]')).toBeVisible()
    await look(page, `desk-story-${width}`)
    await expectFits(page)

    await switchTo(page, t('我的账号', 'My account'))
    const keys = page.getByRole('switch', { name: t('键盘快捷键', 'Keyboard shortcuts') })
    await tabTo(page, keys)
    await page.keyboard.press(' ')
    await expect(keys).toHaveAttribute('aria-checked', 'false')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: /^(快速跳转|Go to)$/ })).toHaveCount(0)
    await look(page, `desk-story-account-${width}`)
    await expectFits(page)
  })
