import { mobileLogin, sendCode } from '@guildhall/wire/auth/auth.ts'
import { captcha, checkCaptcha } from '@guildhall/wire/captcha/captcha.ts'
import { fail } from '@guildhall/wire/failure.ts'
import { joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { latestVersion, siteInfo } from '@guildhall/wire/site/site.ts'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { askCaptcha } from '../captcha/captcha.tsx'
import { readStored, writeStored } from '../kit/browser/storage.ts'
import { onCaptcha } from '../kit/call.ts'
import { forgetNativeApp } from '../native/openApp/openApp.ts'
import { type Shell, setShell } from '../native/shell.ts'
import { forgetCodesSent } from '../testing/cookies.ts'
import { fakeServer } from '../testing/fakeServer.ts'
import { inviteOf, sessionOf, siteOf } from '../testing/fixtures.ts'
import { fill, press, type } from '../testing/hands.ts'
import { InviteScreen } from './InviteScreen.tsx'

const CODE = 'abcdef'
let server: ReturnType<typeof fakeServer>
const go = vi.fn<(path: string) => void>()
const show = () => render(<InviteScreen code={CODE} go={go} />)
const joined = (now = true) => ({
  id: '10' as never,
  guild_id: '10' as never,
  channel_id: '20',
  joined_now: now,
})

beforeEach(() => {
  localStorage.clear()
  forgetCodesSent()
  go.mockReset()
  server = fakeServer()
  server.on(viewInvite, () => inviteOf())
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  document.getElementById('boot')?.remove()
})

test.each(['invite.invalid', 'invite.expired', 'invite.full'] as const)(
  'an invite that is %s says that it is invalid, and offers a way on',
  async (name) => {
    server.on(viewInvite, () => fail(name))
    show()
    expect(await screen.findByRole('heading', { name: '邀请无效' })).toBeTruthy()
    expect(screen.getByText('该邀请可能已过期或已被关闭')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByRole('link', { name: '前往公会厅' }).getAttribute('href')).toBe('/')
  },
)

test('a malformed code is invalid without a request', async () => {
  render(<InviteScreen code="a b" go={go} />)
  expect(await screen.findByText('邀请无效')).toBeTruthy()
  expect(server.received(viewInvite)).toEqual([])
})

test('a network failure shows a retry', async () => {
  let down = true
  server.on(viewInvite, () => {
    if (down) throw new TypeError('down')
    return inviteOf()
  })
  show()
  expect(await screen.findByText('网络错误')).toBeTruthy()
  down = false
  press('重试')
  expect(await screen.findByRole('heading', { name: '星海公会' })).toBeTruthy()
})

test('the server’s rendering is shown at once, and remains when the network fails', async () => {
  const boot = document.createElement('script')
  boot.id = 'boot'
  boot.type = 'application/json'
  boot.textContent = JSON.stringify({ code: CODE, invite: inviteOf() })
  document.body.append(boot)
  server.on(viewInvite, () => {
    throw new TypeError('down')
  })
  show()
  expect(screen.getByRole('heading', { name: '星海公会' })).toBeTruthy()
  await waitFor(() => expect(server.received(viewInvite)).toHaveLength(1))
  expect(screen.getByRole('heading', { name: '星海公会' })).toBeTruthy()
})

test('the inviter, the guild and its counts are shown', async () => {
  show()
  expect(await screen.findByText('安然')).toBeTruthy()
  expect(screen.getByText('邀请你加入')).toBeTruthy()
  expect(screen.getByText('128 人在线')).toBeTruthy()
  expect(screen.getByText('2046 位成员')).toBeTruthy()
  expect(document.documentElement.dataset.theme).toBe('dark')
})

test('the banner of the guild stands in place of its enlarged icon, with what it says of itself', async () => {
  const plain = inviteOf()
  const guild = { ...plain.guild, icon: '/icon.png', banner: '/banner.png', desc: '一起看星星' }
  server.on(viewInvite, () => ({ ...plain, guild }))
  show()
  expect(await screen.findByText('一起看星星')).toBeTruthy()
  const drawn = [...document.querySelectorAll('img')].map((it) => it.className)
  expect(drawn).toContain('invite-banner')
  expect(drawn).not.toContain('invite-backdrop')
})

test('a guild in which nobody is online says so, without the green dot', async () => {
  const nobody = inviteOf()
  server.on(viewInvite, () => ({ ...nobody, guild: { ...nobody.guild, online_count: 0 } }))
  show()
  expect((await screen.findByText('0 人在线')).className).toBe('invite-count')
  expect(screen.getByText('2046 位成员')).toBeTruthy()
})

test('someone logged in joins with one tap and lands in the channel', async () => {
  writeStored('authorization', 'tok')
  server.on(joinGuild, () => joined())
  show()
  fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  expect(server.received(joinGuild)).toEqual([{ id: CODE }])
})

test('a tap on the button that the server drew counts until the page has replaced it', async () => {
  writeStored('authorization', 'tok')
  server.on(joinGuild, () => joined())
  let isTapped = false
  const page = <InviteScreen code={CODE} go={go} wasTapped={() => isTapped} />
  isTapped = true
  render(page)
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
})

test('a member enters without joining again', async () => {
  writeStored('authorization', 'tok')
  server.on(viewInvite, () => inviteOf({ joined: true }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '进入公会' }))
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  expect(server.received(joinGuild)).toEqual([])
})

test('joining that takes a captcha goes on once it is solved, and says nothing when it is closed', async () => {
  onCaptcha(askCaptcha)
  writeStored('authorization', 'tok')
  server.on(joinGuild, ({ sign }) => (sign === 'solved' ? joined() : fail('captcha.needed', { sign: '400' })))
  server.on(captcha, ({ kind }) => ({ id: 'challenge', kind, imgData: 'AAAA' }))
  server.on(checkCaptcha, () => ({ sign: 'solved' }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
  fireEvent.click(await screen.findByRole('button', { name: '取消' }))
  const accept = () => screen.queryByRole('button', { name: '接受邀请' })
  await expect.poll(() => accept()?.getAttribute('aria-disabled')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
  press('接受邀请')
  await screen.findByRole('dialog')
  fireEvent.click(await screen.findByRole('button', { name: '我看不清，换一种验证方式' }))
  fireEvent.click(await screen.findByRole('button', { name: '输入图中的字符' }))
  fill(await screen.findByLabelText('图中的字符'), { value: 'AB12C' })
  press('确定')
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  expect(server.received(joinGuild).at(-1)).toEqual({ id: CODE, sign: 'solved' })
  expect(server.received(checkCaptcha)).toMatchObject([{ id: 'challenge', captcha: 'AB12C', mobile: '' }])
  onCaptcha(null)
})

test('a ban is reported and the button stays', async () => {
  writeStored('authorization', 'tok')
  server.on(joinGuild, () => fail('guild.banned'))
  show()
  fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
  expect((await screen.findByRole('alert')).textContent).toBe('你已被该公会封禁')
  expect(go).not.toHaveBeenCalled()
})

async function openSheet() {
  show()
  fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
  await screen.findByRole('dialog')
}

test('a missing value is reported under its field', async () => {
  await openSheet()
  press('注册并加入')
  expect(await screen.findByText('请输入手机号码')).toBeTruthy()
  expect(screen.getByText('请输入验证码')).toBeTruthy()
  type('手机号码', '2380000000')
  press('获取验证码')
  expect(await screen.findByText('手机号码不正确')).toBeTruthy()
  expect(server.received(sendCode)).toEqual([])
})

test('a wrong code is shown under the code', async () => {
  server.on(mobileLogin, () => fail('auth.code_wrong'))
  await openSheet()
  type('手机号码', '13800000000')
  type('验证码', '111111')
  press('注册并加入')
  expect(await screen.findByText('验证码错误')).toBeTruthy()
  expect(readStored('authorization')).toBeNull()
})

test('the button shows the wait that the server requires', async () => {
  server.on(sendCode, () => fail('auth.code_too_soon', { n: 41 }))
  await openSheet()
  type('手机号码', '13800000000')
  press('获取验证码')
  expect(await screen.findByRole('button', { name: /4[01] 秒后重新发送/ })).toBeTruthy()
})

test('a guest registers by phone, joins and lands in the channel', async () => {
  server.on(sendCode, () => ({}))
  server.on(mobileLogin, () => sessionOf())
  server.on(joinGuild, () => joined())
  await openSheet()
  type('手机号码', '138 0000 0000')
  press('获取验证码')
  expect(await screen.findByRole('button', { name: /秒后重新发送/ })).toBeTruthy()
  type('验证码', '123456')
  press('注册并加入')
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  expect(server.received(sendCode)).toMatchObject([
    { mobile: '13800000000', mobile_prefix: '86', type: 'invite-h5' },
  ])
  expect(server.received(mobileLogin)).toMatchObject([
    { type: 'invite_reg', code: '123456', invite_code: CODE },
  ])
  expect(readStored('authorization')).toBe('tok')
})

test('when joining fails after registering, a retry does not register again', async () => {
  let down = true
  server.on(mobileLogin, () => sessionOf())
  server.on(joinGuild, () => {
    if (down) throw new TypeError('down')
    return joined()
  })
  await openSheet()
  type('手机号码', '13800000000')
  type('验证码', '123456')
  press('注册并加入')
  expect(await screen.findByText('网络错误')).toBeTruthy()
  down = false
  press('注册并加入')
  await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  expect(server.received(mobileLogin)).toHaveLength(1)
})

test('an invite used up while registering ends in the invalid screen', async () => {
  server.on(mobileLogin, () => sessionOf())
  server.on(joinGuild, () => fail('invite.full'))
  await openSheet()
  type('手机号码', '13800000000')
  type('验证码', '123456')
  press('注册并加入')
  expect(await screen.findByText('邀请无效')).toBeTruthy()
})

test('a guest with an account can log in, and the invite is kept', async () => {
  await openSheet()
  press('已有账号？用密码登录')
  await waitFor(() => expect(go).toHaveBeenCalledWith('/login', true))
  expect(readStored('pending_join')).toEqual({ id: '10', code: CODE })
})

test("in a chat app's browser the overlay points to the system browser and offers to continue", async () => {
  vi.stubGlobal('navigator', { userAgent: 'iPhone MicroMessenger/8.0.44' })
  show()
  fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
  expect(await screen.findByText('请点击右上角，选择「在浏览器中打开」')).toBeTruthy()
  press('在此继续')
  expect(await screen.findByRole('button', { name: '注册并加入' })).toBeTruthy()
})

describe('where there is an app', () => {
  const SAFARI =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
  const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'
  const STORE = 'https://store.example/1'
  let gone: string[]
  const setApps = (value: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the server does
    document.cookie = `apps=${value}; path=/`
  }
  const offer = (agent: string, store: string) => {
    vi.stubGlobal('navigator', { userAgent: agent, maxTouchPoints: 5 })
    setApps('ios.android')
    server.on(siteInfo, () => siteOf({ scheme: 'hall', ios_url: store, android_url: store }))
    server.on(latestVersion, () => ({ url: '', version: '' }))
  }
  beforeEach(() => {
    gone = []
    forgetNativeApp()
    vi.spyOn(location, 'assign').mockImplementation((address) => void gone.push(String(address)))
  })
  afterEach(() => {
    setApps('')
    vi.restoreAllMocks()
  })

  test('Safari leads to the page that opens it', async () => {
    offer(SAFARI, STORE)
    show()
    fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
    await waitFor(() => expect(go).toHaveBeenCalledWith(`/oia/invite/${CODE}`, true))
    expect(gone).toEqual([])
  })

  test('another browser opens it at the invite, once for two taps, and then its store', async () => {
    offer(ANDROID, STORE)
    show()
    const button = await screen.findByRole('button', { name: '接受邀请' })
    fireEvent.click(button)
    fireEvent.click(button)
    await waitFor(() => expect(gone).toEqual([`hall://invite/${CODE}`]))
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await waitFor(() => expect(gone).toEqual([`hall://invite/${CODE}`, STORE]))
    await waitFor(() => expect(button.getAttribute('aria-disabled')).toBeNull())
  })

  test('without a store the page goes on by itself when the app does not open', async () => {
    offer(ANDROID, '')
    show()
    fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
    expect(await screen.findByRole('button', { name: '注册并加入' }, { timeout: 3_000 })).toBeTruthy()
  })

  test.each([SAFARI, ANDROID])('guests see the way to join on the web, in %s', async (agent) => {
    offer(agent, STORE)
    show()
    fireEvent.click(await screen.findByRole('button', { name: '不打开 APP，在网页中加入' }))
    expect(await screen.findByRole('button', { name: '注册并加入' })).toBeTruthy()
    expect(gone).toEqual([])
  })

  test('somebody who is logged in joins in the browser', async () => {
    offer(ANDROID, STORE)
    writeStored('authorization', 'tok')
    server.on(joinGuild, () => joined())
    show()
    fireEvent.click(await screen.findByRole('button', { name: '接受邀请' }))
    await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
    expect(screen.queryByRole('button', { name: '不打开 APP，在网页中加入' })).toBeNull()
    expect(gone).toEqual([])
  })

  test('whoever chose the web on the page before can register at once', async () => {
    offer(SAFARI, STORE)
    history.replaceState(null, '', `/invite/${CODE}?web`)
    show()
    expect(await screen.findByRole('button', { name: '注册并加入' })).toBeTruthy()
    history.replaceState(null, '', '/')
  })
})

describe('inside of the app', () => {
  const asked: unknown[] = []
  const useShell = (answer: () => Promise<object> = async () => ({})) =>
    setShell({
      config: { app_plantform: 'IOS', version: '1', calls: [] },
      has: () => true,
      call: ((...call: unknown[]) => {
        asked.push(call)
        return answer()
      }) as unknown as Shell['call'],
      on: () => () => undefined,
    })
  beforeEach(() => {
    asked.length = 0
    server.on(joinGuild, () => joined())
  })
  afterEach(() => setShell(null))
  const accept = async (name = '接受邀请') => fireEvent.click(await screen.findByRole('button', { name }))

  test('nobody logged in: the invite is kept, and the home of the app follows', async () => {
    useShell()
    show()
    await accept()
    await waitFor(() => expect(go).toHaveBeenCalledWith('/home', undefined))
    expect(readStored('pending_join')).toEqual({ id: '10', code: CODE })
    expect(asked).toEqual([])
  })

  test('logged in: joins, then shows the guild there', async () => {
    useShell()
    writeStored('authorization', 'tok')
    show()
    await accept()
    await waitFor(() => expect(asked).toEqual([['jump_guild', { guild_id: '10' }]]))
    expect(server.received(joinGuild)).toEqual([{ id: CODE }])
    expect(go).not.toHaveBeenCalled()
  })

  test('a member does not join again', async () => {
    useShell()
    writeStored('authorization', 'tok')
    server.on(viewInvite, () => inviteOf({ joined: true }))
    show()
    await accept('进入公会')
    await waitFor(() => expect(asked).toEqual([['jump_guild', { guild_id: '10' }]]))
    expect(server.received(joinGuild)).toEqual([])
  })

  test('an invite to a voice channel joins it there', async () => {
    useShell()
    writeStored('authorization', 'tok')
    const voice = { id: '24' as never, name: '开黑房', type: 2, joined: false }
    server.on(viewInvite, () => inviteOf({ type: 'channel', channel: voice }))
    show()
    await accept()
    await waitFor(() => expect(asked).toEqual([['join_audio', { guild_id: '10', channel_id: '24' }]]))
  })

  test('a shell that refuses leaves the person in the page, not before a dead button', async () => {
    useShell(() => Promise.reject(new Error('refused')))
    writeStored('authorization', 'tok')
    show()
    await accept()
    await waitFor(() => expect(go).toHaveBeenCalledWith('/channels/10/20', undefined))
  })
})
