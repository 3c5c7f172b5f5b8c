/**
 * How a guild looks to others: its profile, the review of recommended guilds, and discovery. commerce.md §4,
 * §5.
 */
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, goBack, picture } from '../phone.ts'

const fixture = useFixture(['Failed to load resource'])

const choose = (
  page: Page,
  kind: '图标' | '横幅',
  file: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0],
) => page.getByLabel(`更换 公会${kind}`).setInputFiles(file)

async function drawn(width: number, height: number) {
  const art = `<svg width="${width}" height="${height}"><defs><linearGradient id="g" x2="1" y2="1"><stop stop-color="#264653"/>
    <stop offset="1" stop-color="#e9c46a"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/></svg>`
  return { name: '图.png', mimeType: 'image/png', buffer: await sharp(Buffer.from(art)).png().toBuffer() }
}
const guildNamed = (name: string) => fixture.server.world.guilds.find((it) => it.name === name)!

test(`a guild’s name, icon, description and banner: refusals, then saved and seen live`, async () => {
  const { id } = guildNamed('深夜电台')
  const other = await fixture.enter('member', `/channels/${id}`)
  const page = await fixture.enter('owner', `/channels/${id}`)
  await page.getByRole('button', { name: '公会菜单' }).click()
  await page.getByRole('button', { name: '公会信息' }).click()
  await expect(page).toHaveURL(new RegExp(`/guild/profile/${id}`))
  await expect(page.getByRole('heading', { name: '服务器信息' })).toBeVisible()
  await expect(page.getByRole('button', { name: '保存' })).toHaveCount(0)

  await choose(page, '图标', { name: '字.txt', mimeType: 'text/plain', buffer: Buffer.from('字') })
  await expect(page.getByText('请检查文件格式')).toBeVisible()
  await choose(page, '图标', {
    name: '大.png',
    mimeType: 'image/png',
    buffer: Buffer.alloc(5 * 1024 * 1024 + 1),
  })
  await expect(page.getByText('图片大小不能超过 5M')).toBeVisible()
  await choose(page, '图标', await drawn(127, 128))
  await expect(page.getByText('至少上传 128*128 的图片')).toBeVisible()
  await choose(page, '横幅', await drawn(1024, 599))
  await expect(page.getByText('至少上传 1024*600 的图片')).toBeVisible()
  const name = page.getByLabel('服务器名称')
  await name.fill('')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('服务器名称不能为空。')).toBeVisible()
  await expect(name).toBeFocused()
  await name.fill('名'.repeat(31))
  await page.getByRole('button', { name: '保存' }).click()
  await expect(name).toHaveAttribute('aria-invalid', 'true')
  await look(page, 'profile-wrong')

  await goBack(page)
  await expect(page.getByRole('alertdialog', { name: '放弃修改？' })).toBeVisible()
  await page.getByRole('button', { name: '继续编辑' }).click()

  const next = '清晨电台'
  await name.fill(next)
  await page.getByLabel('服务器描述').fill(`${next}，每天开门。`)
  await choose(page, '图标', await drawn(400, 300))
  await page.getByRole('slider', { name: '缩放' }).waitFor()
  await look(page, 'profile-crop-icon')
  await page.getByRole('button', { name: '使用' }).click()
  await choose(page, '横幅', await drawn(2000, 900))
  await page.getByRole('application', { name: /图片位置/ }).waitFor()
  await look(page, 'profile-crop-banner')
  await page.getByRole('button', { name: '使用' }).click()
  await expect(page.locator('[data-part=banner] img')).toBeVisible()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()
  await expect(page.getByRole('button', { name: '保存' })).toHaveCount(0)
  await look(page, 'profile-saved', 'page')
  await expect(other.getByText(next).first()).toBeVisible()
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page).toHaveURL(new RegExp(`/channels/${id}`))
})

test('who may not manage a guild is told, and a guild without the level has no banner; in English', async () => {
  const { id } = guildNamed('周末羽毛球')
  const other = await fixture.enter('member', `/guild/profile/${id}`, { locale: 'en-US', theme: 'dark' })
  await expect(other.getByText('You may not manage this guild')).toBeVisible()
  await expect(other.getByLabel('Server name')).toHaveCount(0)
  await expectAccessible(other)
  await picture(other, 'profile-no-right')
  const page = await fixture.enter('owner', `/guild/profile/${id}`, { locale: 'en-US', isDesk: true })
  await expect(page.getByLabel('Change Server icon')).toBeVisible()
  await expect(page.getByLabel('Change Server banner')).toHaveCount(0)
  await page.getByLabel('Server description').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Server description cannot be empty.')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'profile-english-desk')
})

test('without network nothing typed is lost, and in the app the bar saves and asks before it leaves', async () => {
  const { id } = guildNamed('周末羽毛球')
  const page = await fixture.enter('owner', `/guild/profile/${id}`, { theme: 'dark' })
  await page.getByLabel('服务器描述').fill('周日也有。')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /网络/ })).toBeVisible()
  await picture(page, 'profile-offline')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('修改成功')).toBeVisible()

  const { page: shell } = await fixture.open(undefined, { isDesk: true })
  const token = await fixture.server.login('owner')
  await shell.goto(`/dev/shell?${new URLSearchParams({ path: `/guild/profile/${id}`, token })}`)
  const inside = shell.frameLocator('#frames iframe:not([hidden])')
  await expect(inside.getByLabel('服务器描述')).toHaveValue('周日也有。')
  await inside.getByLabel('服务器描述').fill('周一也有。')
  await shell.locator('#left').click()
  await expect(inside.getByRole('alertdialog', { name: '放弃修改？' })).toBeVisible()
  await inside.getByRole('button', { name: '继续编辑' }).click()
  await shell.locator('#right').click()
  await expect(inside.getByText('修改成功')).toBeVisible()
})

test('a recommended guild is changed by staff’s decision, and people find and join it', async () => {
  const { id, name } = guildNamed('像素工坊')
  const page = await fixture.enter('owner', `/guild/profile/${id}`)
  await page.getByLabel('服务器名称').fill('像素新坊')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('工作人员将在一个工作日内完成审核')).toBeVisible()
  await picture(page, 'profile-handed-in')
  await page.getByRole('button', { name: '知道了' }).click()
  await expect(page.getByRole('heading', { name: '审核中' })).toBeVisible()
  await expect(page.getByLabel('服务器名称')).toBeDisabled()
  await expect(page.getByLabel('服务器名称')).toHaveValue('像素新坊')
  await expectAccessible(page)
  await picture(page, 'profile-waits')

  const [waiting] = await fixture.server.command<{ id: string }[]>('review list')
  await fixture.server.command(`review decide --id ${waiting!.id} --reject --reason 名字不合适`)
  await expect(page.getByText('申请未通过审核')).toBeVisible()
  await expect(page.getByText('原因：名字不合适')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'profile-rejected')
  await page.getByLabel('服务器名称').fill('像素小坊')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '知道了' }).click()
  const [again] = await fixture.server.command<{ id: string }[]>('review list')
  await fixture.server.command(`review decide --id ${again!.id} --pass`)
  await expect(page.getByText('7 天后可以再次修改')).toBeVisible()
  await picture(page, 'profile-locked')

  const seeker = await fixture.enter('outsider', '/discover')
  await expect(seeker.getByRole('heading', { name: '像素小坊' })).toBeVisible()
  await expect(seeker.getByText(name)).toHaveCount(0)
  await look(seeker, 'discover')
  await seeker.getByLabel('搜索公会').fill('没有这个')
  await expect(seeker.getByText('没有找到相关公会')).toBeVisible()
  await seeker.getByLabel('搜索公会').fill('像素')
  await seeker.getByRole('button', { name: /公会「像素小坊」/ }).click()
  await expect(seeker).toHaveURL(new RegExp(`/channels/${id}`))
})
