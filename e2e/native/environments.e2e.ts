/**
 * Every kind of environment × logged in or out × every entry, and where each ends. chat.md §4, commerce.md
 * §2; decisions 66 and 67. What does not depend on each other in the code is not multiplied here: see
 * `entriesOf`.
 */
import { createInvite } from '@guildhall/wire/invite/manage.ts'
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'

const STORE = 'https://store.example'
const fixture = useFixture(['launch', 'Failed to load resource'], {
  APP_SCHEME: 'hall',
  APP_IOS_URL: `${STORE}/ios`,
  APP_ANDROID_URL: `${STORE}/android`,
})

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'
const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

/** What a person meets at the end of an entry. */
type End =
  | 'the guild'
  | 'the mask'
  | 'registering'
  | 'the page that opens the app'
  | 'the app'
  | 'the store'
  | 'the download page'
  | 'where the download was asked'
  | 'the warning'
  | '/home'
  | 'jump_guild'
  | 'join_audio'
  | 'close_webview'
  | 'buy_produce_vip'
  | 'a word to open the app'
  | '/login'
type Entry = 'invite' | 'voice invite' | 'landing' | 'download' | 'outside link' | 'purchase'

interface EnvironmentEnds {
  readonly userAgent?: string
  readonly isShell?: boolean
  /** Ends with a login, and those of a guest where they differ. */
  readonly member: Readonly<Record<Entry, End>>
  readonly guest: Readonly<Partial<Record<Entry, End>>>
}

/**
 * Where the login changes nothing, in the code either: these are opened as a guest in one environment of each
 * sort.
 */
const SAME_FOR_GUESTS: readonly Entry[] = ['landing', 'download', 'outside link']

const phone = (store: End): Readonly<Record<Entry, End>> => ({
  invite: 'the guild',
  'voice invite': 'the guild',
  landing: store,
  download: 'the store',
  'outside link': 'the warning',
  purchase: 'a word to open the app',
})
const inApp = (more: string): EnvironmentEnds => ({
  userAgent: `${ANDROID} ${more}`,
  member: { ...phone('the mask'), download: 'the download page' },
  guest: { invite: 'the mask', 'voice invite': 'the mask', purchase: '/login' },
})
const guestOpens: EnvironmentEnds['guest'] = {
  invite: 'the app',
  'voice invite': 'the app',
  purchase: '/login',
}

const ENVIRONMENTS: Readonly<Record<string, EnvironmentEnds>> = {
  WeChat: inApp('MicroMessenger/8.0.50.2701(0x28003253) WeChat/arm64 NetType/WIFI Language/zh_CN'),
  QQ: inApp('V1_AND_SQ_8.9.3_3042_YYB_D QQ/8.9.3.8585 NetType/WIFI'),
  Alipay: inApp('AliApp(AP/10.2.59.8000) AlipayClient/10.2.59.8000 Language/zh-Hans'),
  Weibo: inApp('Weibo (Xiaomi-2201123C__weibo__12.2.0__android__android12)'),
  DingTalk: inApp('AliApp(DingTalk/6.5.45) com.alibaba.android.rimet/26284409'),
  'Safari on an iPhone': {
    userAgent: `${IOS} Version/17.5 Mobile/15E148 Safari/604.1`,
    member: phone('the store'),
    guest: {
      invite: 'the page that opens the app',
      'voice invite': 'the page that opens the app',
      purchase: '/login',
    },
  },
  'Chrome on an iPhone': {
    userAgent: `${IOS} CriOS/126.0.6478.35 Mobile/15E148 Safari/604.1`,
    member: phone('the store'),
    guest: guestOpens,
  },
  'a browser of Android': { userAgent: ANDROID, member: phone('the store'), guest: guestOpens },
  'a desk': {
    member: { ...phone('the download page'), download: 'the download page' },
    guest: { invite: 'registering', 'voice invite': 'registering', purchase: '/login' },
  },
  'the native shell': {
    userAgent: ANDROID,
    isShell: true,
    member: {
      invite: 'jump_guild',
      'voice invite': 'join_audio',
      landing: 'close_webview',
      download: 'where the download was asked',
      'outside link': 'the warning',
      purchase: 'buy_produce_vip',
    },
    guest: { invite: '/home', 'voice invite': '/home', purchase: '/login' },
  },
}

/**
 * The entries that are opened in an environment. These pages ask `isInChatApp` and not which app it is,
 * except for WeChat: QQ stands for the other chat apps, and in each of those a guest's invite shows that the
 * page knows it. environment.test.ts and acceptStep.test.ts have all of them.
 */
function entriesOf(name: string, who: 'member' | 'guest'): readonly Entry[] {
  const all = Object.keys(pathOf) as Entry[]
  if (['Alipay', 'Weibo', 'DingTalk'].includes(name)) return who === 'guest' ? ['invite'] : []
  const isOneOfSort = ['WeChat', 'a browser of Android', 'a desk', 'the native shell'].includes(name)
  return who === 'guest' && !isOneOfSort ? all.filter((entry) => !SAME_FOR_GUESTS.includes(entry)) : all
}

let voiceInvite = ''
test.beforeAll(async () => {
  const { server } = fixture
  const { url } = await server.as('owner').call(createInvite, {
    guild_id: server.guildId,
    channel_id: server.channel('点歌台'),
  })
  voiceInvite = new URL(url).pathname.split('/').at(-1) ?? ''
})

const pathOf: Readonly<Record<Entry, () => string>> = {
  invite: () => `/invite/${fixture.server.invite}`,
  'voice invite': () => `/invite/${voiceInvite}`,
  landing: () => '/',
  download: () => '/download?from=/terms',
  'outside link': () => '/go-wild?url=https%3A%2F%2Fother.example%2Fa',
  purchase: () => '/account/buff',
}

/**
 * Answers every call of the page as a shell does that has them all; the calls are noted in
 * `window.shellCalls`.
 */
function installShell(token: string | null): void {
  const calls: string[] = []
  const answers: Record<string, object> = {
    get_app_config: {
      token,
      theme: 'light',
      app_plantform: 'Android',
      version: '1.42.0',
      calls: ['get_app_config', 'jump_guild', 'join_audio', 'close_webview', 'new_page', 'buy_produce_vip'],
    },
  }
  Object.assign(window, {
    shellCalls: calls,
    GuildhallNative: {
      postMessage(text: string) {
        const { id, call } = JSON.parse(text) as { id: number; call: string }
        calls.push(call)
        setTimeout(() =>
          (window as unknown as { GuildhallBridge: { receive(text: string): void } }).GuildhallBridge.receive(
            JSON.stringify({ id, result: answers[call] ?? {} }),
          ),
        )
      },
    },
  })
}

/** `isMember`: somebody is logged in. */
const press: Readonly<
  Record<Entry, (page: Page, environment: EnvironmentEnds, isMember: boolean) => Promise<void>>
> = {
  invite: (page) => page.getByRole('button', { name: '接受邀请' }).or(enterButton(page)).click(),
  'voice invite': (page) => page.getByRole('button', { name: '接受邀请' }).or(enterButton(page)).click(),
  landing: (page, { isShell, userAgent }) =>
    isShell
      ? page.getByRole('button', { name: '返回 APP' }).click()
      : page.getByRole(userAgent ? 'button' : 'link', { name: '下载 APP' }).click(),
  download: async () => undefined,
  'outside link': async () => undefined,
  async purchase(page, { isShell }, isMember) {
    if (!isMember) return
    await page.getByRole('button', { name: '开通 BUFF' }).click()
    if (isShell) await page.getByRole('button', { name: '继续开通' }).click()
  },
}
const enterButton = (page: Page) => page.getByRole('button', { name: '进入公会' })

/** Waits for an end. `left`: where the page wanted to go outside of this site. */
async function expectEnd(page: Page, end: End, left: readonly string[]): Promise<void> {
  const called = (name: string) =>
    expect
      .poll(() => page.evaluate(() => (window as unknown as { shellCalls: string[] }).shellCalls))
      .toContain(name)
  if (end === 'the guild') return expect(page).toHaveURL(new RegExp(`/channels/${fixture.server.guildId}`))
  if (end === 'the mask') return expect(page.getByText('请点击右上角，选择「在浏览器中打开」')).toBeVisible()
  if (end === 'registering') return expect(page.getByRole('button', { name: '注册并加入' })).toBeVisible()
  if (end === 'the page that opens the app') return expect(page).toHaveURL(/\/oia\//)
  if (end === 'the app') return expect.poll(() => left[0]).toMatch(/^hall:\/\/invite\//)
  if (end === 'the store') return expect.poll(() => left.at(-1)).toMatch(STORE)
  if (end === 'the download page') return expect(page).toHaveURL(/\/download/)
  if (end === 'where the download was asked') return expect(page).toHaveURL(/\/terms$/)
  if (end === 'the warning') return expect(page.getByText('请注意账号和财产安全')).toBeVisible()
  if (end === 'a word to open the app') return expect(page.getByText('请在 APP 内打开')).toBeVisible()
  if (end === '/login') return expect(page).toHaveURL(/\/login/)
  if (end === '/home') return expect(page).toHaveURL(/\/home$/)
  return called(end)
}

for (const [name, environment] of Object.entries(ENVIRONMENTS))
  for (const who of ['member', 'guest'] as const) {
    const entries = entriesOf(name, who)
    if (entries.length === 0) continue
    test(`in ${name}, ${who === 'member' ? 'logged in' : 'as a guest'}, these lead where they should: ${entries.join(', ')}`, async () => {
      const isMember = who === 'member'
      for (const entry of entries) {
        const { page, context } = await fixture.open(
          isMember && !environment.isShell ? 'owner' : undefined,
          environment.userAgent ? { userAgent: environment.userAgent } : { isDesk: true },
        )
        if (environment.isShell)
          await context.addInitScript(installShell, isMember ? await fixture.server.login('owner') : null)
        await context.route(`${STORE}/**`, (route) =>
          route.fulfill({ contentType: 'text/html', body: '<title>store</title>' }),
        )
        const left: string[] = []
        const session = await context.newCDPSession(page)
        await session.send('Page.enable')
        session.on('Page.frameRequestedNavigation', ({ url }) => {
          if (!url.startsWith(fixture.server.url)) left.push(url)
        })
        await page.goto(pathOf[entry]())
        await test.step(entry, async () => {
          await press[entry](page, environment, isMember)
          await expectEnd(
            page,
            (isMember ? undefined : environment.guest[entry]) ?? environment.member[entry],
            left,
          )
        })
        await context.close()
      }
    })
  }
