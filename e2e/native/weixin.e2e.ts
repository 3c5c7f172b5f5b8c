/**
 * Inside of WeChat: what its menu shares of a page, by its real JS-SDK over a bridge that answers as WeChat's
 * does.
 */
import type { Page } from '@playwright/test'
import { expect, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'

const fixture = useFixture(['Content Security Policy'])

const WECHAT =
  'Mozilla/5.0 (Linux; Android 13; 2211133C) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 Mobile Safari/537.36 MMWEBID/3062 MicroMessenger/8.0.44.2502(0x28002C51) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64'

interface Invoked {
  readonly name: string
  readonly args: Record<string, unknown>
}

/** A page in WeChat whose bridge answers, refuses, or is silent. */
async function enterWechat(path: string, answers: 'ok' | 'refuses' | 'silent' = 'ok'): Promise<Page> {
  const phone = await fixture.open(undefined, { userAgent: WECHAT })
  await phone.context.addInitScript((how) => {
    const invoked: unknown[] = []
    Object.assign(window, {
      invoked,
      WeixinJSBridge: {
        on: () => undefined,
        invoke(name: string, args: unknown, done?: (answer: object) => void) {
          invoked.push({ name, args: typeof args === 'string' ? JSON.parse(args) : args })
          if (how === 'silent') return
          const isRefused = how === 'refuses' && name === 'preVerifyJSAPI'
          done?.({
            err_msg: `${name}:${isRefused ? 'fail, the permission value is offline verifying' : 'ok'}`,
          })
        },
      },
    })
  }, answers)
  await phone.page.goto(path)
  return phone.page
}
const invoked = (page: Page, name: string) =>
  page.evaluate(
    (wanted) => (window as unknown as { invoked: Invoked[] }).invoked.filter((it) => it.name === wanted),
    name,
  )

test('an invite is shared with its guild’s name, who invites, and an address without a query', async () => {
  const page = await enterWechat(`/invite/${fixture.server.invite}?from=timeline&token=secret`)
  await expect.poll(() => invoked(page, 'updateAppMessageShareData')).not.toEqual([])
  const [shared] = await invoked(page, 'updateAppMessageShareData')
  const guild = fixture.server.world.guilds[0]!.name
  expect(shared?.args).toMatchObject({
    title: `加入「${guild}」`,
    link: `${fixture.server.url}/invite/${fixture.server.invite}`,
  })
  expect(String(shared?.args.desc)).toContain('邀请你加入')
  await expect.poll(() => invoked(page, 'updateTimelineShareData')).not.toEqual([])
  const [checked] = await invoked(page, 'preVerifyJSAPI')
  expect(checked?.args).toMatchObject({ verifySignType: 'sha1' })
})

for (const answers of ['refuses', 'silent'] as const)
  test(`the invite works as ever where WeChat ${answers === 'silent' ? 'does not answer' : 'refuses the page'}`, async () => {
    const page = await enterWechat(`/invite/${fixture.server.invite}`, answers)
    await expect.poll(() => invoked(page, 'preVerifyJSAPI')).not.toEqual([])
    expect(await invoked(page, 'updateAppMessageShareData')).toEqual([])
    await expect(page.getByRole('button', { name: '接受邀请' })).toBeEnabled()
  })

test('elsewhere nothing of WeChat is loaded', async () => {
  const phone = await fixture.open(undefined, {})
  const scripts: string[] = []
  phone.page.on('request', (request) => scripts.push(request.url()))
  await phone.page.goto(`/invite/${fixture.server.invite}`)
  // Nothing is to be loaded: there is nothing to wait for.
  await phone.page.waitForTimeout(2_000)
  expect(scripts.filter((url) => /weixin|wx-sign/i.test(url))).toEqual([])
})
