/**
 * The pages of the shop: screen sharing, BUFF, and gifts of both; in the app, in a plain browser, and where a
 * browser may buy.
 */
import { shellAddress } from '@guildhall/wire/site/appsCookie.ts'
import { expect, type FrameLocator, type Page, test } from '@playwright/test'
import { expectFits } from '../ask.ts'
import { useFixture } from '../fixture.ts'
import { connects, expectAccessible, picture } from '../phone.ts'

test.describe('without purchases in browsers', () => {
  const fixture = useFixture(['net::ERR_INTERNET_DISCONNECTED'])

  for (const [theme, locale] of [
    ['light', 'zh-CN'],
    ['dark', 'zh-CN'],
    ['light', 'en-US'],
  ] as const)
    test(`both pages in ${theme} and ${locale}, from 360 to 1280 px`, async () => {
      const { page } = await fixture.open('member', { theme, locale })
      for (const name of ['golive', 'buff'] as const) {
        // As long as the page, whose bar stays at the bottom of the screen.
        await page.setViewportSize({ width: 390, height: 1240 })
        await page.goto(`/account/${name}`)
        await page.locator('[data-part=package]').first().waitFor()
        await picture(page, `shop-${name}-${theme}-${locale}`)
        await expectAccessible(page)
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 800 })
          await expectFits(page)
        }
      }
    })

  test('a plain browser is told to open the app, and nothing is ordered', async () => {
    const page = await fixture.enter('member', '/account/golive?version=pro')
    await expect(page.getByText('未开通')).toBeVisible()
    await page.getByRole('button', { name: '立即开通 ¥18.00' }).click()
    await expect(page.getByText('请在 APP 内打开')).toBeVisible()
    await page.getByRole('button', { name: '赠送好友' }).click()
    await page.goto('/account/buff')
    await page.getByRole('button', { name: /开通 BUFF/ }).click()
    await expect(page.getByText('请在 APP 内打开')).toBeVisible()
    expect(await fixture.server.command<unknown[]>('order list')).toEqual([])
  })

  test('who is not logged in is led to the login, and back', async () => {
    const { page } = await fixture.open(undefined)
    for (const path of ['/account/golive?version=pro', '/select-friend?action=present_golive&produce_id=1']) {
      await page.goto(path)
      await page.waitForURL((url) => url.searchParams.get('redir') === path)
    }
  })

  test('offline, the page says so, and is there again with the network', async () => {
    const { page, context } = await fixture.open('member')
    await page.goto('/account')
    await page.getByText('BUFF').first().waitFor()
    await page.goto('/account/golive')
    const compared = page.getByRole('table', { name: '版本对比' })
    await compared.waitFor()
    await page.route('**/api/v3/product/golive-products*', (route) => route.abort('internetdisconnected'))
    const connected = connects(page)
    await page.reload()
    await connected
    await expect(page.getByRole('heading', { name: '加载失败' })).toBeVisible()
    await page.unroute('**/api/v3/product/golive-products*')
    await page.getByRole('button', { name: '重试' }).click()
    await expect(compared).toBeVisible()
    await context.setOffline(true)
    await page.getByRole('tab', { name: '专业版' }).click()
    await expect(page.getByRole('button', { name: '立即开通 ¥18.00' })).toBeVisible()
  })

  test.describe('in the app', () => {
    const openShell = async (
      path: string,
      settings: Record<string, string> = {},
    ): Promise<{ page: Page; inside: FrameLocator }> => {
      const { page } = await fixture.open(undefined, { isDesk: true })
      const token = await fixture.server.login('owner')
      await page.goto(`/dev/shell?${new URLSearchParams({ path, token, purchase: 'success', ...settings })}`)
      return { page, inside: page.frameLocator('#frames iframe:not([hidden])') }
    }
    /** What the page asked the shell for by a call. */
    const asked = (page: Page, call: string) => page.locator('#log li', { hasText: `"call":"${call}"` })

    test('screen sharing is bought by the app, which gets the product; what was given up is not', async () => {
      const { page, inside } = await openShell('/account/golive?version=pro', { purchase: 'cancel' })
      await inside.getByRole('button', { name: '立即开通 ¥18.00' }).click()
      await expect(asked(page, 'buy_produce_golive')).toHaveCount(1)
      await expect(asked(page, 'buy_produce_golive')).toContainText('"price":1800')
      await expect(asked(page, 'buy_produce_golive')).toContainText('"group_id":10016')
      await expect(inside.getByText('支付成功')).toHaveCount(0)
      await page.locator('select[name=purchase]').selectOption('success')
      await inside.getByRole('button', { name: '立即开通 ¥18.00' }).click()
      await expect(inside.getByText('支付成功')).toBeVisible()
      // The page follows what is granted after that.
      await fixture.server.command(`golive give --user ${fixture.server.idOf('owner')} --type pro --days 30`)
      await expect(inside.getByText('专业版已开通')).toBeVisible()
      await expect(inside.getByRole('button', { name: '立即续费 ¥18.00' })).toBeVisible()
    })

    test('BUFF is confirmed and then bought by the app, which gets the package', async () => {
      const { page, inside } = await openShell('/account/buff', { platform: 'Android' })
      await inside.getByRole('button', { name: '开通 BUFF ¥18.00' }).click()
      await inside.getByRole('button', { name: '继续开通' }).click()
      await expect(asked(page, 'buy_produce_vip')).toContainText('"name":"BUFF 月卡"')
      await expect(asked(page, 'buy_produce_vip')).not.toContainText('user_id')
      await expect(inside.getByText('支付成功')).toBeVisible()
      // Bought elsewhere meanwhile.
      await fixture.server.command(`buff give --user ${fixture.server.idOf('owner')} --days 30`)
      await page.getByRole('button', { name: '隐藏再显示' }).click()
      await expect(inside.getByText(/有效期至/)).toBeVisible()
      await expect(inside.getByRole('button', { name: '续费 BUFF ¥18.00' })).toBeVisible()
    })

    test('a gift is handed to the app with friend and product; who has it is greyed', async () => {
      await fixture.server.befriend('owner', 'member')
      await fixture.server.befriend('owner', 'admin')
      await fixture.server.command(`golive give --user ${fixture.server.idOf('admin')} --type pro --days 30`)
      const { page, inside } = await openShell('/account/golive')
      await inside.getByRole('button', { name: '赠送好友' }).click()
      await expect(inside.getByRole('button', { name: /已拥有该物品/ })).toBeDisabled()
      await expectAccessible(page)
      await inside.getByRole('button', { name: fixture.server.person('member').username }).click()
      await expect(asked(page, 'present_golive')).toContainText(
        `"user_id":"${fixture.server.idOf('member')}"`,
      )
      await expect(inside.getByText('赠送成功')).toBeVisible()
      await expect(inside.getByRole('button', { name: /立即/ })).toBeVisible()
    })
  })
})

test.describe('in the app of the demo world', () => {
  const fixture = useFixture([], { PAY_SANDBOX: '1' })

  test('BUFF is ordered and paid at the sandbox once the buyer agrees, with the login of the browser; the bill has it', async () => {
    const { page } = await fixture.open('member', { isDesk: true })
    await page.goto('/account/buff')
    await page.getByRole('button', { name: '开通 BUFF ¥18.00' }).click()
    await expect(page.getByText('请在 APP 内打开')).toBeVisible()
    await page.goto(shellAddress('/account/buff'))
    const inside = page.frameLocator('#frames iframe:not([hidden])')
    const buy = async () => {
      await inside.getByRole('button', { name: '开通 BUFF ¥18.00' }).click()
      await inside.getByRole('button', { name: '继续开通' }).click()
      await expect(page.getByText('沙箱支付：BUFF 月卡 ¥18.00')).toBeVisible()
    }
    await buy()
    await page.getByRole('button', { name: '放弃' }).click()
    await expect(inside.getByText('尚未开通 BUFF')).toBeVisible()
    await buy()
    await page.getByRole('button', { name: '支付 ¥18.00' }).click()
    await expect(inside.getByText('支付成功')).toBeVisible()
    await expect(inside.getByText(/有效期至/)).toBeVisible()
    await page.goto('/account/order-list')
    await expect(page.locator('[data-part=bill-row]')).toHaveCount(1)
    // What was given up waits for its payment, which a browser does not take here.
    await expect(page.locator('[data-part=unpaid]')).toContainText('请在 APP 内继续支付')
    await expect(page.getByText(/微信支付/)).toBeVisible()
  })
})

test.describe('where a browser may buy', () => {
  const fixture = useFixture([], { PAY_SANDBOX: '1', PURCHASE_IN_BROWSER: '1' })
  const newest = async () => {
    const [order] = await fixture.server.command<{ id: string; state: string }[]>('order list --limit 1')
    return order!
  }
  const payNewest = async () => {
    const { id } = await newest()
    await fixture.server.command(`sandbox pay --order ${id} --way wechat`)
  }
  const sheetOf = (page: Page) => page.getByRole('dialog', { name: '支付订单' })
  const chooseWechat = async (page: Page, sum: string) => {
    await page.getByRole('radio', { name: /微信/ }).check()
    await page.getByRole('button', { name: `支付 ${sum}` }).click()
    await expect(page.getByRole('img', { name: /二维码|微信/ })).toBeVisible()
  }

  test('screen sharing is given up in the sheet, then bought, and then renewed', async () => {
    const { page } = await fixture.open('member', { isDesk: true })
    await page.goto('/account/golive')
    await page.getByRole('tab', { name: '专业版' }).click()
    await page.getByRole('button', { name: '立即开通 ¥18.00' }).click()
    await expect(page.getByRole('radio', { name: /微信/ })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheetOf(page)).toBeHidden()
    await expect(page.getByText('未开通')).toBeVisible()
    await page.getByRole('button', { name: '立即开通 ¥18.00' }).click()
    await chooseWechat(page, '¥18.00')
    await payNewest()
    await expect(sheetOf(page).getByText('支付成功')).toBeVisible()
    await page.getByRole('button', { name: '完成' }).click()
    await expect(page.getByText('专业版已开通')).toBeVisible()
    await expect(page.getByRole('button', { name: '立即续费 ¥18.00' })).toBeVisible()
  })

  test('BUFF is given to a friend, who is told by a toast and by a message of the official account', async () => {
    await fixture.server.befriend('owner', 'muted')
    const receiver = await fixture.enter('muted', '/chats')
    await receiver.getByRole('heading', { name: '私信', level: 1 }).waitFor()
    const { page } = await fixture.open('owner', { isDesk: true })
    await page.goto('/account/buff')
    await page.getByRole('button', { name: '赠送好友' }).click()
    const { username } = fixture.server.person('muted')
    await page.getByRole('searchbox', { name: '搜索好友' }).fill(username)
    await page.getByRole('button', { name: username }).click()
    const dialog = page.getByRole('alertdialog', { name: '赠送好友' })
    await expect(dialog).toContainText('BUFF 月卡')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: '去支付' }).click()
    await chooseWechat(page, '¥18.00')
    await payNewest()
    await expect(sheetOf(page).getByText('支付成功')).toBeVisible()
    await page.getByRole('button', { name: '完成' }).click()
    await expect(page).toHaveURL(/\/account\/buff$/)
    await expect(page.getByText('尚未开通 BUFF')).toBeVisible()
    const said = `${fixture.server.person('owner').username} 送给你「BUFF 月卡」`
    await expect(receiver.getByRole('status').filter({ hasText: said })).toBeVisible()
    await receiver.getByRole('link', { name: /公会厅/ }).click()
    const inRoom = receiver.locator('[data-part=message]')
    await expect(inRoom.getByText(/送给你「BUFF 月卡」，已经生效。/).last()).toBeVisible()
    await picture(receiver, 'shop-gift-message')
    await expectAccessible(receiver)
    await receiver.goto('/account/buff')
    await expect(receiver.getByText(/有效期至/)).toBeVisible()
  })

  test('a gift of what the friend has is refused, also by its address', async () => {
    await fixture.server.befriend('owner', 'admin')
    await fixture.server.command(`golive give --user ${fixture.server.idOf('admin')} --type pro --days 30`)
    const { page } = await fixture.open('owner', { theme: 'dark' })
    await page.goto('/account/golive')
    await page.getByRole('button', { name: '赠送好友' }).click()
    await expect(page.getByRole('button', { name: /已拥有该物品/ })).toBeDisabled()
    await picture(page, 'shop-friends-dark')
    await expectAccessible(page)
    const productId = new URL(page.url()).searchParams.get('produce_id')
    await page.goto(`/account/golive?user_id=${fixture.server.idOf('admin')}&produce_id=${productId}`)
    await page.waitForURL((url) => !url.searchParams.has('user_id'))
    await expect(page.getByRole('alertdialog', { name: '赠送好友' })).toHaveCount(0)
  })

  test('without products there is nothing to buy, and the page says so', async () => {
    const all = await fixture.server.command<{ id: number; kind: string }[]>('product list')
    for (const { id } of all.filter(({ kind }) => kind === 'golive' || kind === 'buff'))
      await fixture.server.command(`product retire --id ${id}`)
    const page = await fixture.enter('member', '/account/golive', { theme: 'dark' })
    await expect(page.getByRole('heading', { name: '暂无可购买的套餐' })).toBeVisible()
    await picture(page, 'shop-empty-dark')
    await expectAccessible(page)
    await page.goto('/account/buff')
    await expect(page.getByRole('heading', { name: '暂无可购买的套餐' })).toBeVisible()
    await expect(page.getByRole('button', { name: /BUFF/ })).toHaveCount(0)
  })
})
