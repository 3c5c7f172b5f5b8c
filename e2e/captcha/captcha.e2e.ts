/**
 * Captchas before each code and login (CAPTCHA=always): of each kind, with finger, keys and neither, in both
 * themes and languages.
 */
import { CAPTCHA_HEIGHT, CAPTCHA_WIDTH, type CaptchaKind } from '@guildhall/wire/captcha/captcha.ts'
import type { Browser, Page, Request } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { openTestServer, type TestServer } from '../../server/src/testing/server.ts'
import { expectFits, restingBox } from '../ask.ts'
import { look } from '../look.ts'
import { openBrowser, openPhone, type Phone, picture } from '../phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer({ CAPTCHA: 'always' })
  browser = await openBrowser()
})
test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})
test.afterEach(async () => {
  const complaints = phones.flatMap((phone) => phone.complaints)
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

/** A page, and the challenges that it was sent. */
async function phone(options?: Parameters<typeof openPhone>[2]) {
  const opened = await openPhone(browser, server.url, options)
  phones.push(opened)
  const { page } = opened
  // From when they are asked for: what is shown may be shown before its answer was read here.
  const ids: Promise<string>[] = []
  const idOf = async (request: Request): Promise<string> => {
    const { data } = (await (await request.response())!.json()) as { data: { id: string } }
    return data.id
  }
  page.on('request', (request) => {
    if (request.url().includes('/api/file/captcha')) ids.push(idOf(request).catch(() => ''))
  })
  return { page, ids }
}

interface Solution {
  readonly solution: string
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** What solves the newest challenge. */
const solutionOf = async (ids: readonly Promise<string>[]) => {
  const answer = await fetch(`${server.url}/dev/captcha?id=${await ids.at(-1)}`)
  return (await answer.json()) as Solution
}
const solution = async (ids: readonly Promise<string>[]) => (await solutionOf(ids)).solution

const dialog = (page: Page) => page.locator('[data-part=captcha]')
const slider = (page: Page) => dialog(page).getByRole('slider', { name: /^(滑块位置|Place of the piece)$/ })
const typed = (page: Page) =>
  dialog(page).getByRole('textbox', { name: /^(图中的字符|Characters in the picture)$/ })
const taps = (page: Page) =>
  dialog(page).getByRole('application', { name: /^(依次点击图中的四个字|Tap the four characters)/ })
const confirm = (page: Page) => dialog(page).getByRole('button', { name: /^(确定|Confirm)$/ })
const kindNames: Readonly<Record<CaptchaKind, RegExp>> = {
  image: /输入图中的字符|Type the characters/,
  idiom: /按顺序选成语|Put an idiom/,
  slider: /拖动拼图|Push a puzzle/,
  work: /不用看图，让手机来验证|No picture/,
}

async function choose(page: Page, kind: CaptchaKind): Promise<void> {
  const answered = page.waitForResponse((it) => it.url().includes(`kind=${kind}`))
  await dialog(page)
    .getByRole('button', { name: /我看不清|I cannot see it/ })
    .click()
  await dialog(page).getByRole('button', { name: kindNames[kind] }).click()
  await (await answered).finished()
  await shown(page, kind)
}

async function shown(page: Page, kind: CaptchaKind): Promise<void> {
  if (kind === 'work')
    await dialog(page)
      .getByRole('button', { name: /开始验证|Start/ })
      .waitFor()
  else if (kind === 'slider') await slider(page).waitFor()
  else if (kind === 'idiom') await taps(page).waitFor()
  else await typed(page).waitFor()
}

/** Solves what is shown. */
async function solve(page: Page, ids: readonly Promise<string>[], kind: CaptchaKind): Promise<void> {
  await shown(page, kind)
  if (kind === 'work') return dialog(page).getByRole('button', { name: '开始验证' }).click()
  const answer = await solution(ids)
  // As a keyboard does it.
  if (kind === 'slider') await slider(page).fill(answer)
  else if (kind === 'idiom') await mark(page, (await solutionOf(ids)).points)
  else await typed(page).fill(answer)
  await confirm(page).click()
}

/** Marks the characters of an idiom by keys. The pointer begins in the middle of the picture. */
async function mark(page: Page, points: Solution['points']): Promise<void> {
  await taps(page).focus()
  let [atX, atY] = [CAPTCHA_WIDTH / 2, CAPTCHA_HEIGHT / 2]
  const go = async (distance: number, [back, on]: readonly [string, string]) => {
    const steps = Math.round(distance / 10)
    for (let n = 0; n < Math.abs(steps); n += 1) await page.keyboard.press(steps < 0 ? back : on)
    return steps * 10
  }
  for (const [x, y] of points) {
    atX += await go(x - atX, ['ArrowLeft', 'ArrowRight'])
    atY += await go(y - atY, ['ArrowUp', 'ArrowDown'])
    await page.keyboard.press('Space')
  }
}

async function openLogin(page: Page): Promise<void> {
  const { mobile, password } = server.person('member')
  await page.goto('/login')
  await page.getByRole('tab', { name: /密码登录|Password login/ }).click()
  await page.getByLabel(/^(手机号|Mobile number)$/).fill(mobile)
  await page.getByLabel(/^(密码|Password)$/).fill(password)
  await page.locator('form button[type=submit]').click()
  await slider(page).waitFor()
}

test('somebody registers by an invite, past a wrong answer', async () => {
  const { page, ids } = await phone()
  const mobile = '13812340000'
  await page.goto(`/invite/${server.invite}`)
  await page.getByRole('button', { name: '接受邀请' }).click()
  await page.getByLabel('手机号码').fill(mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await shown(page, 'image')
  const before = ids.length
  await typed(page).fill('nope')
  await confirm(page).click()
  await dialog(page).getByText('验证未通过，请再试一次').waitFor()
  await expect.poll(() => ids.length).toBe(before + 1)
  await expect(typed(page)).toHaveValue('')
  await picture(page, 'captcha-wrong')
  await solve(page, ids, 'image')
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor(mobile))
  await page.getByRole('button', { name: '注册并加入' }).click()
  await solve(page, ids, 'slider')
  await page.getByPlaceholder('发送消息到').waitFor()
})

for (const kind of ['image', 'idiom', 'slider', 'work'] as const)
  test(`somebody logs in through the kind ${kind}`, async () => {
    const { page, ids } = await phone()
    await openLogin(page)
    await choose(page, kind)
    await solve(page, ids, kind)
    await page.waitForURL(/\/channels/)
  })

test('somebody logs in by keyboard alone, without the picture', async () => {
  const { page } = await phone()
  await openLogin(page)
  await expect(slider(page)).toBeFocused()
  // Confirm, another picture, another way.
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('Tab')
  await expect(dialog(page).getByRole('button', { name: /我看不清/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: kindNames.work })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: '开始验证' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/channels/)
})

test('a finger pushes the piece', async () => {
  const { page, ids } = await phone()
  await openLogin(page)
  const wanted = Number(await solution(ids))
  const box = await restingBox(slider(page))
  await page.mouse.move(box.x + 8, box.y + box.height / 2)
  await page.mouse.down()
  const at = () => slider(page).evaluate((it: HTMLInputElement) => Number(it.value))
  for (let x = box.x + 9; x < box.x + box.width && (await at()) < wanted; x += 1)
    await page.mouse.move(x, box.y + box.height / 2)
  await page.mouse.up()
  await page.waitForURL(/\/channels/)
})

test('a finger taps the characters of an idiom in their order', async () => {
  const { page, ids } = await phone()
  await openLogin(page)
  await choose(page, 'idiom')
  for (const [x, y] of (await solutionOf(ids)).points) await taps(page).click({ position: { x, y } })
  await picture(page, 'captcha-idiom-tapped')
  await confirm(page).click()
  await page.waitForURL(/\/channels/)
})

test('after a wrong password the slider counts with the work that the page does beside it', async () => {
  const { page, ids } = await phone()
  const { mobile, password } = server.person('owner')
  await page.goto('/login')
  await page.getByRole('tab', { name: '密码登录' }).click()
  await page.getByLabel('手机号', { exact: true }).fill(mobile)
  for (const word of ['wrong word', password]) {
    await page.getByLabel('密码', { exact: true }).fill(word)
    await page.locator('form button[type=submit]').click()
    await slider(page).waitFor()
    await picture(page, `captcha-slider-${word === password ? 'after' : 'first'}`)
    await solve(page, ids, 'slider')
    await expect(dialog(page)).toHaveCount(0)
  }
  await page.waitForURL(/\/channels/)
})

test('closing it leaves the form as it was, and another try asks again', async () => {
  const { page, ids } = await phone()
  await openLogin(page)
  await page.goBack()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('status').filter({ hasText: /\S/ })).toHaveCount(0)
  await page.locator('form button[type=submit]').click()
  await solve(page, ids, 'slider')
  await page.waitForURL(/\/channels/)
})

for (const locale of ['zh-CN', 'en-US'] as const)
  test(`each kind is accessible, in ${locale}`, async () => {
    const { page } = await phone({ locale })
    await openLogin(page)
    for (const kind of ['slider', 'image', 'idiom', 'work'] as const) {
      if (kind !== 'slider') await choose(page, kind)
      await look(page, `captcha-${kind}-${locale}`)
    }
    await dialog(page)
      .getByRole('button', { name: /我看不清|I cannot see it/ })
      .click()
    await look(page, `captcha-ways-${locale}`)
    await expectFits(page)
  })
