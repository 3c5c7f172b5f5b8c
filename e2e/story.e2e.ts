/** The main journeys: invites, registration, login, and conversations between two phones. */
import { logout } from '@guildhall/wire/auth/auth.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import type { Browser, Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { sql } from 'kysely'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { atRest, restingBox } from './ask.ts'
import { type Network, openNetwork } from './network.ts'
import { openBrowser, openPhone, type Phone } from './phone.ts'

let server: TestServer
let browser: Browser
const phones: Phone[] = []

test.beforeAll(async () => {
  server = await openTestServer()
  browser = await openBrowser()
})

test.afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.afterEach(async () => {
  // The browser reports a socket that could not be opened; some journeys cut the network.
  const complaints = phones.flatMap((phone) => phone.complaints).filter((it) => !it.includes('WebSocket'))
  for (const phone of phones.splice(0)) await phone.close()
  expect(complaints).toEqual([])
})

async function phone(options?: Parameters<typeof openPhone>[2], url = server.url): Promise<Page> {
  const opened = await openPhone(browser, url, options)
  phones.push(opened)
  return opened.page
}

/** A phone with somebody of the demo world logged in. */
async function phoneOf(name: Parameters<TestServer['login']>[0], url = server.url): Promise<Page> {
  const page = await phone({}, url)
  const token = await server.login(name)
  // Only once per phone: a later logout must persist over reloads.
  await page.addInitScript((it) => {
    if (!sessionStorage.getItem('given')) localStorage.setItem('authorization', it)
    sessionStorage.setItem('given', '1')
  }, token)
  return page
}

let numbers = 13_900_000_000
/** An unused mobile number. */
const newMobile = () => {
  numbers += 1
  return String(numbers)
}

async function askForCode(page: Page, mobile: string): Promise<string> {
  await page.getByLabel('手机号码').fill(mobile)
  await page.getByRole('button', { name: '获取验证码' }).click()
  await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  return server.codeFor(mobile)
}

async function register(page: Page, invite = server.invite): Promise<string> {
  const mobile = newMobile()
  await page.goto(`/invite/${invite}`)
  await page.getByRole('button', { name: '接受邀请' }).click()
  const code = await askForCode(page, mobile)
  await page.getByLabel('验证码', { exact: true }).fill(code)
  await page.getByRole('button', { name: '注册并加入' }).click()
  await page.getByPlaceholder('发送消息到').waitFor()
  return mobile
}

const composer = (page: Page) => page.getByPlaceholder('发送消息到')
const messageWith = (page: Page, text: string) => page.locator('[data-part=message-text]', { hasText: text })

async function sendText(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.getByRole('button', { name: '发送', exact: true }).click()
}

/** The stored contents of a channel that begin with `prefix`, in order. */
async function stored(channelId: string, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ content: string }>`
    select content from message where channel_id = ${channelId} and content like ${`${prefix}%`} order by seq
  `.execute(server.database.db)
  return rows.map((row) => row.content)
}

/** The texts on screen that begin with `prefix`, top to bottom. */
const shown = (page: Page, prefix: string) =>
  page.locator('[data-part=message-text]').filter({ hasText: new RegExp(`^\\s*${prefix}`) })

test.describe('an invite link', () => {
  test('that has expired shows so, with and without scripts', async () => {
    const [invite] = (
      await sql<{ code: string }>`
        insert into invite (code, guild_id, user_id, created_at, expires_at)
        values ('expired1', ${server.guildId}, ${server.person('owner').id}, 1, 2) returning code`.execute(
        server.database.db,
      )
    ).rows
    for (const scripts of [true, false]) {
      const page = await phone({ scripts })
      const answer = await page.goto(`/invite/${invite!.code}`)
      expect(answer?.status()).toBe(404)
      await page.getByText('邀请无效').waitFor()
      await page.getByText('该邀请可能已过期或已被关闭').waitFor()
      await expect(page.getByRole('button', { name: '接受邀请' })).toHaveCount(0)
    }
  })

  test('that does not exist is invalid', async () => {
    const page = await phone()
    await page.goto('/invite/nothere')
    await page.getByText('邀请无效').waitFor()
  })

  test('that is used up while somebody registers reports so after the code is entered', async () => {
    await sql`
      insert into invite (code, guild_id, user_id, created_at, uses_max)
      values ('lastone1', ${server.guildId}, ${server.person('owner').id}, 1, 1)`.execute(server.database.db)
    const late = await phone()
    await late.goto('/invite/lastone1')
    await late.getByRole('button', { name: '接受邀请' }).click()
    const mobile = newMobile()
    const code = await askForCode(late, mobile)
    await register(await phone(), 'lastone1')
    await late.getByLabel('验证码', { exact: true }).fill(code)
    await late.getByRole('button', { name: '注册并加入' }).click()
    await late.getByText('邀请无效').waitFor()
    const next = await phone()
    await next.goto('/invite/lastone1')
    await next.getByText('邀请无效').waitFor()
  })

  test('is readable without scripts, and has the metadata that chat apps preview', async () => {
    const page = await phone({ scripts: false })
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('heading', { name: '深夜电台' }).waitFor()
    await page.getByText('邀请你加入').waitFor()
    await page.getByRole('button', { name: '接受邀请' }).waitFor()
    await expect(page).toHaveTitle(/深夜电台/)
    const meta = (key: string) => page.locator(`meta[property="og:${key}"]`)
    await expect(meta('title')).toHaveAttribute('content', /深夜电台/)
    await expect(meta('description')).toHaveAttribute('content', /小满/)
    const address = await atRest(() => meta('image').getAttribute('content'))
    const picture = await fetch(address!)
    expect(picture.status).toBe(200)
    expect(picture.headers.get('content-type')).toContain('image/png')
  })

  test('does not move when the page hydrates', async () => {
    const bare = await phone({ scripts: false })
    await bare.goto(`/invite/${server.invite}`)
    const live = await phone()
    await live.goto(`/invite/${server.invite}`, { waitUntil: 'networkidle' })
    for (const name of ['.invite-guild', '.invite-accept', '.invite-avatar', '.invite-counts']) {
      expect(await restingBox(live.locator(name))).toEqual(await restingBox(bare.locator(name)))
    }
  })

  test('is in English for an English browser, before and after scripts run', async () => {
    for (const scripts of [false, true]) {
      const page = await phone({ locale: 'en-US', scripts })
      await page.goto(`/invite/${server.invite}`, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'Accept invitation' }).waitFor()
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    }
  })

  test('in the browser of a chat app suggests another browser, and lets people continue', async () => {
    const page = await phone({
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49 NetType/4G Language/zh_CN',
    })
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '接受邀请' }).click()
    await page.getByText('请点击右上角，选择「在浏览器中打开」').waitFor()
    await page.getByRole('button', { name: '在此继续' }).click()
    await page.getByLabel('手机号码').waitFor()
  })
})

test.describe('registering', () => {
  test('shows an error under each invalid field and for a wrong code', async () => {
    const page = await phone()
    const mobile = newMobile()
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '接受邀请' }).click()
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('请输入手机号码').waitFor()
    await page.getByLabel('手机号码').fill('1380000')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('手机号码不正确').waitFor()
    const code = await askForCode(page, mobile)
    await page.getByRole('button', { name: '注册并加入' }).click()
    await page.getByText('请输入验证码').waitFor()
    await page.getByLabel('验证码', { exact: true }).fill(code === '000000' ? '000001' : '000000')
    await page.getByRole('button', { name: '注册并加入' }).click()
    await page.getByText('验证码错误').waitFor()
    await page.getByLabel('验证码', { exact: true }).fill(code)
    await page.getByRole('button', { name: '注册并加入' }).click()
    await composer(page).waitFor()
  })

  test('continues the resend countdown after a reload', async () => {
    const page = await phone()
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '接受邀请' }).click()
    await askForCode(page, newMobile())
    await page.reload()
    await page.getByRole('button', { name: '接受邀请' }).click()
    await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
  })

  test('twice with the same number creates one account and one membership', async () => {
    const page = await phone()
    const mobile = await register(page)
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '进入公会' }).click()
    await composer(page).waitFor()
    const { rows } = await sql<{ people: number; members: number }>`
      select count(distinct "user".id)::int as people, count(membership.guild_id)::int as members
      from "user" left join membership on membership.user_id = "user".id where mobile = ${mobile}`.execute(
      server.database.db,
    )
    expect(rows).toEqual([{ people: 1, members: 1 }])
  })
})

test.describe('two people', () => {
  test('meet by an invite and see each other’s messages at once', async () => {
    const friend = await phoneOf('member')
    await friend.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
    await composer(friend).waitFor()

    const guest = await phone()
    await guest.goto(`/invite/${server.invite}`)
    await guest.getByText('小满').first().waitFor()
    await register(guest)
    await messageWith(guest, '新来的朋友直接在这里打招呼就行').waitFor()

    await sendText(guest, '大家好，我是新来的')
    await messageWith(friend, '大家好，我是新来的').waitFor()
    await sendText(friend, '欢迎欢迎')
    await messageWith(guest, '欢迎欢迎').waitFor()
    await expect(messageWith(guest, '大家好，我是新来的')).toHaveCount(1)
    await expect(messageWith(friend, '欢迎欢迎')).toHaveCount(1)

    await guest.reload()
    await messageWith(guest, '欢迎欢迎').waitFor()
    await expect(messageWith(guest, '大家好，我是新来的')).toHaveCount(1)
  })

  test('see all messages once and in order when one of them is offline for a while', async () => {
    const channel = server.channel('闲聊')
    const network: Network = await openNetwork(server.url)
    const friend = await phoneOf('member')
    const away = await phoneOf('admin', network.url)
    for (const page of [friend, away]) {
      await page.goto(`/channels/${server.guildId}/${channel}`)
      await composer(page).waitFor()
    }
    await sendText(friend, '断线前 1')
    await messageWith(away, '断线前 1').waitFor()
    network.cut()
    await away.getByText(/网络已断开|正在重新连接/).waitFor()
    for (let n = 2; n <= 6; n += 1) await sendText(friend, `断线前 ${n}`)
    await expect.poll(() => stored(channel, '断线前')).toHaveLength(6)
    await sendText(away, '断线前 离线')
    await away.getByText('等待网络').waitFor()
    network.mend()
    await messageWith(away, '断线前 6').waitFor()
    await messageWith(friend, '断线前 离线').waitFor()
    const order = await stored(channel, '断线前')
    expect(order).toEqual([1, 2, 3, 4, 5, 6].map((n) => `断线前 ${n}`).concat('断线前 离线'))
    await expect(shown(away, '断线前')).toHaveText(order)
    await expect(shown(friend, '断线前')).toHaveText(order)
    await away.close()
    await network.close()
  })

  test('who send at the same time see the same order', async () => {
    const channel = server.channel('夜宵')
    const pages = [await phoneOf('member'), await phoneOf('admin')]
    for (const page of pages) {
      await page.goto(`/channels/${server.guildId}/${channel}`)
      await composer(page).waitFor()
    }
    await Promise.all(
      pages.map(async (page, who) => {
        for (let n = 0; n < 10; n += 1) await sendText(page, `同时 ${who}-${n}`)
      }),
    )
    await expect.poll(() => stored(channel, '同时')).toHaveLength(20)
    const order = await stored(channel, '同时')
    for (const page of pages) await expect(shown(page, '同时')).toHaveText(order)
  })
})

test.describe('the room', () => {
  test('has no composer for people who may not write, and shows the reason', async () => {
    const muted = await phoneOf('muted')
    await muted.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
    await muted.getByPlaceholder('你没有在该频道发送消息的权限').waitFor()
    const unverified = await phoneOf('unverified')
    await unverified.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
    await unverified.getByText('未验证用户无法在频道内发送消息').waitFor()
    await unverified.getByText('完成手机验证后即可在频道内发言').waitFor()
    const member = await phoneOf('member')
    await member.goto(`/channels/${server.guildId}/${server.channel('公告')}`)
    await member.getByPlaceholder('你没有在该频道发送消息的权限').waitFor()
  })

  test('redirects people who may not see it', async () => {
    const member = await phoneOf('member')
    await member.goto(`/channels/${server.guildId}/${server.channel('值班室')}`)
    await member.waitForURL((url) => url.pathname === '/' || url.pathname.startsWith('/channels'))
    await expect.poll(() => new URL(member.url()).pathname).not.toContain(server.channel('值班室'))
  })

  test('shows HTML and SQL as plain text', async () => {
    const page = await phoneOf('member')
    await page.goto(`/channels/${server.guildId}/${server.channel('夜宵')}`)
    const text = `<img src=x onerror=alert(1)> '; drop table message; -- &lt;b&gt;`
    await sendText(page, text)
    await expect(shown(page, '<img')).toHaveText([text])
    await page.reload()
    await expect(shown(page, '<img')).toHaveText([text])
  })

  test('keeps a draft per channel over a reload', async () => {
    const page = await phoneOf('member')
    await page.goto(`/channels/${server.guildId}/${server.channel('夜宵')}`)
    await composer(page).fill('还没写完')
    await page.goto(`/channels/${server.guildId}/${server.channel('闲聊')}`)
    await expect(composer(page)).toHaveValue('')
    await page.goto(`/channels/${server.guildId}/${server.channel('夜宵')}`)
    await expect(composer(page)).toHaveValue('还没写完')
    await composer(page).fill('')
  })

  test('sends once when the button is tapped twice', async () => {
    const channel = server.channel('夜宵')
    const page = await phoneOf('member')
    await page.goto(`/channels/${server.guildId}/${channel}`)
    await composer(page).fill('只此一次')
    await page.getByRole('button', { name: '发送', exact: true }).dblclick()
    await messageWith(page, '只此一次').waitFor()
    await expect.poll(() => stored(channel, '只此一次')).toEqual(['只此一次'])
  })
})

test.describe('logging in', () => {
  test('shows a wrong password under the field', async () => {
    const page = await phone()
    await page.goto('/login')
    await page.getByRole('tab', { name: '密码登录' }).click()
    await page.getByLabel('手机号', { exact: true }).fill(server.person('owner').mobile)
    await page.getByLabel('密码', { exact: true }).fill('not this one')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('手机号或密码错误').waitFor()
  })

  test('returns to the page that required it, and logging out ends the session', async () => {
    const page = await phone()
    const room = `/channels/${server.guildId}/${server.channel('闲聊')}`
    await page.goto(room)
    await page.waitForURL(/\/login/)
    await page.getByRole('tab', { name: '密码登录' }).click()
    await page.getByLabel('手机号', { exact: true }).fill(server.person('owner').mobile)
    await page.getByLabel('密码', { exact: true }).fill(server.person('owner').password)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForURL(`**${room}`)
    await composer(page).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('authorization'))
    await page.goto('/channels/')
    await page.getByRole('button', { name: '我的菜单' }).click()
    await page
      .getByRole('dialog', { name: '我', exact: true })
      .getByRole('button', { name: '退出登录' })
      .click()
    await page
      .getByRole('alertdialog', { name: '确定要退出登录吗？' })
      .getByRole('button', { name: '退出登录' })
      .click()
    await page.waitForURL((url) => url.pathname === '/')
    // The page does not wait for the server's answer.
    await expect(() =>
      expect(server.as({ token }).refusal(userState)).resolves.toBe('not_logged_in'),
    ).toPass()
  })

  test('by code with a pending invite joins and opens the guild', async () => {
    const page = await phone()
    const mobile = newMobile()
    await page.goto(`/invite/${server.invite}`)
    await page.getByRole('button', { name: '接受邀请' }).click()
    await page.getByRole('button', { name: /已有账号/ }).click()
    await page.getByRole('tab', { name: '验证码登录' }).click()
    await page.getByLabel('手机号', { exact: true }).fill(mobile)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByRole('button', { name: /秒后重新发送/ }).waitFor()
    await page.getByLabel('验证码', { exact: true }).fill(await server.codeFor(mobile))
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForURL(`**/channels/${server.guildId}`)
    await page.getByRole('heading', { name: '深夜电台' }).waitFor()
  })

  test('is required when the session has ended, and returns to the same page', async () => {
    const page = await phoneOf('member')
    const room = `/channels/${server.guildId}/${server.channel('闲聊')}`
    await page.goto(room)
    await composer(page).waitFor()
    const token = await page.evaluate(() => localStorage.getItem('authorization'))
    await server.as({ token }).call(logout)
    await page.waitForURL((url) => url.searchParams.get('redir')?.includes(room) ?? false)
  })
})
