/**
 * Roles with a gradient as people see them: at messages, in lists and cards, in both themes, and as they
 * change.
 */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { updateRole } from '@guildhall/wire/role/role.ts'
import type { Locator } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { atRest, restingBox } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { look } from '../look.ts'

const fixture = useFixture()
const SUNSET = [0xd9480f, 0xc2255c, 0x5f3dc4]

/** The guild of the demo world whose level brings gradients, its role that has one, and its room. */
async function grand() {
  const { id } = fixture.server.world.guilds.find(({ level }) => level === 6)!
  const { roles, channels } = await fixture.server.as('owner').call(viewGuild, { id })
  const role = roles.find(({ name }) => name === '策展人')!
  return { id, roleId: role.role_id, room: `/channels/${id}/${channels[0]!.id}` }
}
const change = async (more: object) => {
  const { id, roleId } = await grand()
  return fixture.server.as('owner').call(updateRole, { guild_id: id, role_id: roleId, ...more })
}

/** What the letters of an element are drawn with. */
const drawn = (it: Locator) =>
  it.evaluate((element) => {
    const { backgroundImage, color, webkitTextFillColor } = getComputedStyle(element)
    return { gradient: backgroundImage, first: color, letters: webkitTextFillColor }
  })
async function expectGradient(it: Locator): Promise<void> {
  await expect(it).toHaveAttribute('data-gradient', 'true')
  const { gradient, first, letters } = await atRest(() => drawn(it))
  expect(gradient).toContain(`linear-gradient(90deg, ${first}`)
  expect(letters).toBe('rgba(0, 0, 0, 0)')
  // It runs over the letters, and not over the row.
  const box = await restingBox(it)
  const size = await it.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize))
  expect(box.width).toBeLessThan(size * 5)
}

test(`a name has the gradient of its highest role wherever it has its colour`, async () => {
  const { id, room } = await grand()
  const page = await fixture.enter('member', `/channels/${id}`)
  await expect(page.locator('header[data-tinted]')).toBeVisible()
  await look(page, 'gradient-channels')

  await page.goto(room)
  const author = page.locator('[data-part=author]').first()
  await expectGradient(author)
  await look(page, 'gradient-room')
  await author.click()
  const card = page.getByRole('dialog', { name: '成员资料' })
  await expectGradient(card.locator('[data-part=person-name]'))
  await expect(card.getByText('策展人')).toBeVisible()
  await look(page, 'gradient-card')

  await page.goto(`/channels/userlist/${id}`)
  const row = page.locator('[data-part=member]', { hasText: '小满' })
  await expectGradient(row.locator('[data-gradient]'))
  await look(page, 'gradient-members')

  await page.goto(room)
  await page.locator('[data-part=composer-input]').pressSequentially('@策')
  await expectGradient(page.getByRole('option', { name: /策展人/ }).locator('[data-gradient]'))
  await look(page, 'gradient-mention')
})

test('an open room follows a role from a gradient to a colour and back', async () => {
  const { room } = await grand()
  const page = await fixture.enter('member', room)
  const author = page.locator('[data-part=author]').first()
  await expectGradient(author)
  await change({ color_type: 1, color: 0x0b7a53 })
  await expect(author).not.toHaveAttribute('data-gradient')
  await expect(author).toHaveCSS('color', 'rgb(11, 122, 83)')
  await change({ color_map: { color_list: SUNSET } })
  await expectGradient(author)
})

test('with forced colours, or on paper, a name is plain', async () => {
  const { room } = await grand()
  const page = await fixture.enter('member', room)
  const author = page.locator('[data-part=author]').first()
  await expectGradient(author)
  for (const media of [{ forcedColors: 'active' }, { media: 'print' }] as const) {
    await page.emulateMedia({ forcedColors: 'none', media: 'screen', ...media })
    const { gradient, first, letters } = await atRest(() => drawn(author))
    expect([gradient, letters]).toEqual(['none', first])
  }
})
