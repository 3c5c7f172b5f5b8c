/**
 * What levels and BUFF bring, as people meet it: a short address, a guild deleted and restored, a number of
 * one's own.
 */
import { me } from '@guildhall/wire/user/me.ts'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'
import { expectAccessible, picture } from '../phone.ts'

const fixture = useFixture()

test(`with BUFF one has a number and a picture that moves`, async () => {
  const page = await fixture.enter('admin', '/account/digits')
  const digits = '8888'
  await page.getByLabel('编号', { exact: true }).fill(digits)
  await look(page, 'rights-digits')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(`#${digits}`).first()).toBeVisible()
  await page.goto('/account/avatar')
  await page
    .getByLabel('选择图片')
    .setInputFiles({ name: '跳舞.gif', mimeType: 'image/gif', buffer: dancing() })
  await expect(page.getByRole('checkbox', { name: /保留动图/ })).toBeChecked()
  await look(page, 'rights-moving')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('头像已更新')).toBeVisible()
  const { avatar, vip_avatar } = await own()
  expect([avatar, vip_avatar]).toEqual([`${vip_avatar}?still=1`, expect.stringMatching(/\.gif$/)])
})

test('a guild of level 5 gets a short address, which outsiders join by; deleted, it comes back for them', async () => {
  const grand = fixture.server.world.guilds.find(({ level }) => level === 6)!
  const page = await fixture.enter('owner', `/channels/${grand.id}`)
  await page.getByRole('button', { name: '公会菜单' }).click()
  await page.getByRole('button', { name: '自定义公会 ID' }).click()
  await page.getByLabel('公会 ID', { exact: true }).fill('abc')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(/公会 ID 为 4-32 个字母/)).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'rights-custom-id')
  await page.getByLabel('公会 ID', { exact: true }).fill('Pixels')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText('公会 ID 已保存')).toBeVisible()

  const other = await fixture.enter('outsider', '/g/pixels')
  await expect(other).toHaveURL(/\/invite\/\w+/)
  await other.getByRole('button', { name: '接受邀请' }).click()
  await expect(other).toHaveURL(new RegExp(`/channels/${grand.id}`))

  await page.getByRole('button', { name: '公会菜单' }).click()
  await page.getByRole('button', { name: '解散公会' }).click()
  await expect(page.getByText(/30 天内可以/)).toBeVisible()
  await page.getByLabel(`输入公会名称「${grand.name}」以确认`, { exact: true }).fill(grand.name)
  await page.getByRole('button', { name: '解散公会' }).click()
  await expect(page).not.toHaveURL(new RegExp(`/channels/${grand.id}`))
  // A room that is gone leads out of it.
  await expect(other).not.toHaveURL(new RegExp(`/channels/${grand.id}`))
  await other.goto('/channels/')
  await expect(other.getByText('还没有加入公会')).toBeVisible()

  await page.getByRole('button', { name: '创建或加入公会' }).click()
  await page.getByRole('button', { name: /恢复公会/ }).click()
  await expect(page.getByText('还可以恢复 30 天')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'rights-restore')
  await page.getByRole('button', { name: `恢复「${grand.name}」` }).click()
  await expect(page).toHaveURL(new RegExp(`/channels/${grand.id}`))
  await expect(other.getByRole('link', { name: new RegExp(grand.name) }).first()).toBeVisible()
})

const own = () => fixture.server.as('admin').call(me)

/** A GIF of two frames, 64 px wide, each in one colour. */
function dancing(): Buffer {
  const SIDE = 64
  const bytes = (...all: number[]) => Buffer.from(all)
  const word = (n: number) => bytes(n & 255, n >> 8)
  // Codes of 3 bits: a clear before every pixel keeps them so.
  const frame = (colour: number) => {
    const codes: number[] = []
    for (let at = 0; at < SIDE * SIDE; at++) codes.push(4, colour)
    codes.push(5)
    const packed: number[] = []
    let [held, bits] = [0, 0]
    for (const code of codes) {
      held |= code << bits
      bits += 3
      while (bits >= 8) {
        packed.push(held & 255)
        held >>= 8
        bits -= 8
      }
    }
    packed.push(held & 255)
    const blocks: Buffer[] = []
    for (let at = 0; at < packed.length; at += 255) {
      const part = packed.slice(at, at + 255)
      blocks.push(bytes(part.length, ...part))
    }
    const control = bytes(0x21, 0xf9, 4, 4, 20, 0, 0, 0)
    return Buffer.concat([
      control,
      bytes(0x2c, 0, 0, 0, 0),
      word(SIDE),
      word(SIDE),
      bytes(0, 2),
      ...blocks,
      bytes(0),
    ])
  }
  const head = Buffer.concat([Buffer.from('GIF89a'), word(SIDE), word(SIDE), bytes(0x91, 0, 0)])
  const colours = bytes(11, 122, 83, 255, 200, 60, 31, 102, 208, 255, 255, 255)
  return Buffer.concat([head, colours, frame(0), frame(1), bytes(0x3b)])
}

test('a membership that ends while its page is open is over there and on the server, and is bought anew', async () => {
  await fixture.server.command(`buff give --user ${fixture.server.person('outsider').id} --days 1`)
  const { page } = await fixture.open('outsider')
  await page.goto('/account/buff')
  await expect(page.getByText(/有效期至/)).toBeVisible()
  await expect(page.getByRole('button', { name: /续费 BUFF/ })).toBeVisible()
  const later = Date.now() + 3 * 24 * 3_600_000
  fixture.server.moveClock(later)
  await page.clock.setFixedTime(later)
  await page.reload()
  await expect(page.getByText(/已于.*到期|已到期|已过期/)).toBeVisible()
  await expect(page.getByRole('button', { name: /开通 BUFF/ })).toBeVisible()
  expect(JSON.stringify(await fixture.server.as('outsider').call(me))).not.toContain('"is_vip":true')
})
