/** The console's reviews: changes of recommended guilds, compared and decided. */
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

const fixture = useFixture(['Failed to load resource'])

const grand = () => fixture.server.world.guilds.find((it) => it.is_recommended)!
const drawn = async (width: number, height: number, colour: string) => {
  const art = `<svg width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/></svg>`
  return { name: '图.png', mimeType: 'image/png', buffer: await sharp(Buffer.from(art)).png().toBuffer() }
}

/** The owner hands a change in, with another name and another icon. */
async function handIn(name: string, desc: string, colour: string): Promise<void> {
  const page = await fixture.enter('owner', `/guild/profile/${grand().id}`)
  await page.getByLabel('服务器名称').fill(name)
  await page.getByLabel('服务器描述').fill(desc)
  await page.getByLabel('更换 公会图标').setInputFiles(await drawn(256, 256, colour))
  await page.getByRole('button', { name: '使用' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '知道了' }).click()
  await page.context().close()
}
const open = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

test('a change is compared, rejected with a reason that the owner reads, and listed with who and when', async () => {
  const page = await openConsole(fixture, '/staff/reviews')
  await expect(page.getByText('没有待审核的内容')).toBeVisible()
  await picture(page, 'staff-reviews-none')
  const { name } = grand()
  await handIn('像素小坊', '画一点，再画一点，天天都在画。加微信领红包。', '#2a9d8f')
  await page.reload()
  await expect(page.getByRole('table', { name: '待审核' })).toContainText('不到 1 小时')
  const waits = page.getByRole('link', { name: /审核\s*1 项待处理/ })
  await expect(waits).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'staff-reviews-list-desk')
  await open(page, name)
  const field = page.getByRole('region', { name: '名称' })
  await expect(field.locator('del')).toHaveText('工')
  await expect(field.locator('ins')).toHaveText('小')
  await expect(page.getByRole('region', { name: '描述' }).locator('ins').last()).toContainText('微信')
  await expect(page.getByRole('img', { name: '修改后：图标' })).toBeVisible()
  await expect(page.getByRole('region', { name: '横幅' })).toContainText('未修改')
  await expectAccessible(page)
  await picture(page, 'staff-review-desk', 'page')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await picture(page, 'staff-review-phone', 'page')
  await page.setViewportSize({ width: 1280, height: 800 })

  await page.getByRole('button', { name: '拒绝' }).click()
  const asks = page.getByRole('alertdialog', { name: '拒绝这次修改？' })
  await asks.getByRole('button', { name: '拒绝' }).click()
  await expect(asks.getByRole('alert').filter({ hasText: '请填写原因' })).toBeVisible()
  await asks.getByLabel('原因').fill('描述里有广告')
  await picture(page, 'staff-review-reject')
  await asks.getByRole('button', { name: '拒绝' }).click()
  await expect(page.getByText('已全部处理')).toBeVisible()
  await expect(waits).toHaveCount(0)
  await expect(page).toHaveURL(/\/staff\/reviews$/)

  const owner = await fixture.enter('owner', `/guild/profile/${grand().id}`)
  await expect(owner.getByText('原因：描述里有广告')).toBeVisible()

  await page.getByLabel('显示').selectOption('decided')
  const row = page.getByRole('table', { name: '已处理' }).getByRole('row', { name: /描述里有广告/ })
  await expect(row).toBeVisible()
  await expect(row).toContainText(fixture.server.person('staff').username)
  await picture(page, 'staff-reviews-decided')
})

test('of two who decide, the second is told and led on; a late change is marked; keys lead through the queue', async () => {
  const db = fixture.server.database.db
  const [, other] = fixture.server.world.guilds
  await fixture.server.command(`guild recommend --guild ${other!.id}`)
  await db
    .insertInto('guild_revision')
    .values({
      guild_id: other!.id,
      user_id: fixture.server.person('owner').id,
      name: '迟到的修改',
      icon: '',
      description: '换一种说法',
      banner: '',
      created_at: Date.now() - 6 * 86_400_000,
    })
    .execute()
  await handIn('像素大坊', '画一点，再画一点，还画一点。', '#e76f51')
  const theme = { theme: 'dark', locale: 'en-US' } as const
  const page = await openConsole(fixture, '/staff/reviews', theme)
  await expect(page.getByRole('table', { name: 'Waiting' })).toContainText('Late')
  await open(page, other!.name)
  await expect(page.getByText('1 of 2')).toBeVisible()
  await picture(page, 'staff-review-late-dark', 'page')
  await page.keyboard.press('j')
  await expect(page.getByText('2 of 2')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.keyboard.press('k')
  await expect(page.getByText('1 of 2')).toBeVisible()

  const asks = page.getByRole('alertdialog', { name: 'Pass this change?' })
  const [first] = await fixture.server.command<{ id: string }[]>('review list')
  await fixture.server.command(`review decide --id ${first!.id} --pass`)
  await page.getByRole('button', { name: 'Pass' }).click()
  await asks.getByRole('button', { name: 'Pass' }).click()
  await expect(page.getByText('Somebody else decided this one; here is the next')).toBeVisible()
  await expect(page.getByRole('heading', { name: /The change of/ })).toContainText(grand().name)
  await page.getByRole('button', { name: 'Pass' }).click()
  await asks.getByRole('button', { name: 'Pass' }).click()
  await expect(page.getByText('Nothing waits any more')).toBeVisible()
  await expect(page.getByText('Nothing waits', { exact: true })).toBeVisible()
})
