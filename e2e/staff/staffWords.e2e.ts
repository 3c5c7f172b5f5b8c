/** Word rules and held messages: what staff change and decide, and what authors see of it. Decision 82. */
import { expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { useFixture } from '../fixture.ts'
import { expectAccessible, picture } from '../phone.ts'
import { openConsole } from '../staff.ts'

// A refused send is answered with a status that the browser reports.
const fixture = useFixture(['400 (Bad Request)'])

const room = () => `/channels/${fixture.server.guildId}/${fixture.server.channel('闲聊')}`

async function say(page: Page, text: string): Promise<void> {
  await page.locator('[data-part=composer-input]').fill(text)
  await page.getByRole('button', { name: '发送', exact: true }).click()
}
const outgoing = (page: Page, text: string) =>
  page.locator('[data-part=outgoing-message]').filter({ hasText: text })
const message = (page: Page, text: string) => page.locator('[data-part=message]').filter({ hasText: text })

const adding = (page: Page) => page.getByRole('alertdialog', { name: '添加词语' })
async function addWord(page: Page, word: string, action: '拒绝' | '先审'): Promise<void> {
  await page.getByRole('button', { name: '添加词语' }).click()
  const dialog = adding(page)
  await dialog.getByLabel('词语', { exact: true }).fill(word)
  await dialog.getByRole('radio', { name: action }).check()
  await dialog.getByLabel('原因').fill('测试')
  await dialog.getByRole('button', { name: '保存' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('table', { name: '词库' }).getByText(word)).toBeVisible()
}

/** Decides on the case that is open. */
async function decide(page: Page, act: '通过' | '拒绝', reason?: string): Promise<void> {
  await page.getByRole('button', { name: act, exact: true }).click()
  const dialog = page.getByRole('alertdialog', { name: new RegExp(`^${act}`) })
  if (reason) await dialog.getByLabel('原因').fill(reason)
  await dialog.getByRole('button', { name: act, exact: true }).click()
}

/** A change of a recommended guild that waits since before everything else. */
async function handInLong(): Promise<string> {
  const guild = fixture.server.world.guilds.find((it) => it.is_recommended)!
  await fixture.server.database.db
    .insertInto('guild_revision')
    .values({
      guild_id: guild.id,
      user_id: fixture.server.person('owner').id,
      name: '换个名字',
      icon: '',
      description: '换一种说法',
      banner: '',
      created_at: Date.now() - 6 * 86_400_000,
    })
    .execute()
  return guild.name
}

test('staff add words and try them, and what has them is refused or waits until staff decide', async () => {
  const staff = await openConsole(fixture, '/staff/words')
  await expect(staff.getByText('词库为空')).toBeVisible()
  await staff.getByRole('button', { name: '添加词语' }).click()
  await adding(staff).getByLabel('词语', { exact: true }).fill('！！')
  await adding(staff).getByLabel('原因').fill('测试')
  await staff.getByRole('button', { name: '保存' }).click()
  await expect(adding(staff).getByRole('alert').filter({ hasText: '至少需要一个文字' })).toBeVisible()
  await staff.getByRole('button', { name: '取消' }).click()
  await addWord(staff, '代练', '拒绝')
  await addWord(staff, '微信', '先审')
  await staff.getByLabel('要检查的文字').fill('找代*练，加 微 信')
  await staff.getByRole('button', { name: '检查' }).click()
  await expect(staff.getByText('命中 2 处')).toBeVisible()
  await expect(staff.locator('mark')).toHaveText(['代*练', '微 信'])
  await expectAccessible(staff)
  await picture(staff, 'staff-words-desk-light', 'page')

  const { page } = await fixture.open('member')
  await page.goto(room())
  await say(page, '找代练')
  await expect(
    outgoing(page, '找代练').getByRole('alert').filter({ hasText: '内容不符合社区规范' }),
  ).toBeVisible()
  await outgoing(page, '找代练').getByRole('button', { name: '删除' }).click()
  for (const text of ['加我微信一号', '加我微信二号', '加我微信三号']) {
    await say(page, text)
    await expect(outgoing(page, text).getByText('审核中，仅自己可见')).toBeVisible()
  }
  await say(page, '大家好')
  await expect(message(page, '大家好')).toBeVisible()
  await page.reload()
  await expect(outgoing(page, '加我微信一号').getByText('审核中，仅自己可见')).toBeVisible()
  await expectAccessible(page)
  await picture(page, 'held-message-light')
  const other = await fixture.enter('owner', room())
  await expect(message(other, '大家好')).toBeVisible()
  await expect(other.getByText('加我微信')).toHaveCount(0)

  await outgoing(page, '加我微信三号').getByRole('button', { name: '撤回' }).click()
  await expect(outgoing(page, '加我微信三号')).toHaveCount(0)
  const colour = { create: { width: 640, height: 400, channels: 3 as const, background: '#e9c46a' } }
  const buffer = await sharp(colour).png().toBuffer()
  await page
    .locator('input[data-attach]')
    .setInputFiles({ name: '加微信.png', mimeType: 'image/png', buffer })
  await expect(page.locator('[data-part=attachment][data-state=done]')).toHaveCount(1)
  await page.getByRole('button', { name: '发送', exact: true }).click()
  await expect(page.getByText('审核中，仅自己可见')).toHaveCount(3)
  const guildName = await handInLong()
  await staff.getByRole('link', { name: '查看待审消息' }).click()
  const kinds = staff.getByRole('navigation', { name: '类型' })
  await expect(kinds.locator('a')).toHaveText(['全部4', '公会修改1', '消息3'])
  const queue = staff.getByRole('table', { name: '待审核' }).locator('tr')
  await expect(queue).toHaveText([
    /内容/,
    /加我微信一号.*词语：微信.*不到 1 小时/,
    /加我微信二号/,
    /加微信\.png/,
  ])
  await kinds.getByRole('link', { name: '全部' }).click()
  await expect(queue).toHaveText([
    /内容/,
    new RegExp(`${guildName}.*已超时`),
    /加我微信一号/,
    /加我微信二号/,
    /加微信\.png/,
  ])
  await expect(staff.getByText('加我微信三号')).toHaveCount(0)
  await expect(staff.getByRole('img', { name: '南枝 发送的图片' })).toHaveJSProperty('complete', true)
  await expectAccessible(staff)
  await picture(staff, 'staff-queue-desk-light', 'page')
  await staff.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(staff)
  await picture(staff, 'staff-queue-phone-light', 'page')
  await staff.setViewportSize({ width: 1280, height: 800 })
  await staff.getByRole('link', { name: '加我微信一号' }).click()
  await expect(staff.getByText('第 2 个，共 4 个')).toBeVisible()
  await expect(staff.getByRole('region', { name: '消息内容' })).toHaveText(/加我微信一号/)
  await expectAccessible(staff)
  await picture(staff, 'staff-held-desk-light', 'page')
  await decide(staff, '通过')
  await expect(message(page, '加我微信一号')).toBeVisible()
  await expect(outgoing(page, '加我微信一号')).toHaveCount(0)
  await expect(message(other, '加我微信一号')).toBeVisible()
  await expect(staff.getByRole('region', { name: '消息内容' })).toHaveText(/加我微信二号/)
  await decide(staff, '拒绝', '广告')
  await expect(
    outgoing(page, '加我微信二号').getByRole('alert').filter({ hasText: '未通过审核 · 广告' }),
  ).toBeVisible()
  await expect(
    staff.getByRole('region', { name: '消息内容' }).getByRole('img', { name: '南枝 发送的图片' }),
  ).toBeVisible()
  await picture(staff, 'staff-held-picture-desk-light', 'page')
  await decide(staff, '通过')
  // The last message leads on to the guild's change, and what was decided is listed with it.
  await expect(staff.getByRole('heading', { name: `审核「${guildName}」的修改` })).toBeVisible()
  await staff.goto('/staff/reviews?kind=message&state=decided')
  await expect(staff.getByRole('table', { name: '已处理' }).locator('tr').nth(2)).toContainText('未通过 广告')

  await page.reload()
  await expect(outgoing(page, '加我微信二号').getByRole('button', { name: '复制' })).toBeVisible()
  await picture(page, 'rejected-message-light')
  await outgoing(page, '加我微信二号').getByRole('button', { name: '删除' }).click()
  await expect(outgoing(page, '加我微信二号')).toHaveCount(0)
})

test('on a phone, in the dark and in English, a rule is changed and removed; who may not review sees nothing held', async () => {
  await fixture.server.command('word add --word casino --action hold --places message')
  const page = await openConsole(fixture, '/staff/words?word=casino', {
    theme: 'dark',
    locale: 'en-US',
    isDesk: false,
  })
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Change “casino”' })
  await dialog.getByRole('radio', { name: 'Refuse' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert').filter({ hasText: 'Give a reason' })).toBeVisible()
  await dialog.getByLabel('Reason').fill('spam')
  await expectAccessible(page)
  await picture(page, 'staff-word-dialog-phone-dark')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('table', { name: 'Words' }).getByText('Refuse')).toBeVisible()
  await picture(page, 'staff-words-phone-dark', 'page')

  const author = await fixture.enter('member', room(), { theme: 'dark', locale: 'en-US' })
  await author.locator('[data-part=composer-input]').fill('加微 信')
  await author.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(outgoing(author, '加微 信').getByText('In review, only you see it')).toBeVisible()
  await expectAccessible(author)
  await picture(author, 'held-message-dark')

  await page.getByRole('button', { name: 'Remove' }).click()
  const removes = page.getByRole('alertdialog', { name: 'Remove “casino”?' })
  await removes.getByLabel('Reason').fill('not needed')
  await removes.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Nothing found')).toBeVisible()
  const toHeld = page.getByRole('link', { name: 'See the messages that wait for review' })
  await toHeld.click()
  await page.getByRole('link', { name: '加微 信' }).click()
  await expect(page.getByRole('region', { name: 'The message' })).toContainText('加微 信')
  await expectAccessible(page)
  await picture(page, 'staff-held-phone-dark', 'page')
  await page.getByRole('button', { name: 'Reject' }).click()
  const rejects = page.getByRole('alertdialog', { name: 'Reject this message?' })
  await rejects.getByRole('button', { name: 'Reject' }).click()
  await expect(rejects.getByRole('alert').filter({ hasText: 'Give a reason' })).toBeVisible()
  await picture(page, 'staff-held-reject-phone-dark')
  // Meanwhile its author takes it back.
  await outgoing(author, '加微 信').getByRole('button', { name: 'Take back' }).click()
  await expect(outgoing(author, '加微 信')).toHaveCount(0)
  await rejects.getByLabel('Reason').fill('spam')
  await rejects.getByRole('button', { name: 'Reject' }).click()
  await expect(page.getByText('It is gone: its author took it back')).toBeVisible()
  await page.goto('/staff/words')
  await expect(toHeld).toBeVisible()
  const { id } = fixture.server.person('staff')
  await fixture.server.command(`staff role --user ${id} --role none`)
  await fixture.server.command(`staff grant --user ${id} --right word`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Try it' })).toBeVisible()
  await expect(toHeld).toHaveCount(0)
  await fixture.server.command(`staff role --user ${id} --role administrator`)
})
