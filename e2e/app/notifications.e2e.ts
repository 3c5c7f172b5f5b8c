/** What calls a person who looks elsewhere, in several tabs of one browser; and what the browser installs. */
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { expect, type Page, test } from '@playwright/test'
import { useFixture } from '../fixture.ts'

const fixture = useFixture()

interface Tab {
  isFocused: boolean
  readonly shown: { readonly body: string; onclick: (() => void) | null }[]
  tones: number
  /** How often it asked the browser whether another tab is looked at. */
  asked: number
}

/** Notifications of a desk, its sound, and which window has the focus: a headless browser has none. */
function asDesk(): void {
  const tab = Object.assign(window as unknown as Tab, { isFocused: true, shown: [], tones: 0, asked: 0 })
  document.hasFocus = () => tab.isFocused
  class Shown {
    static permission = 'granted'
    onclick: (() => void) | null = null
    readonly body: string
    constructor(_title: string, { body }: { body: string }) {
      this.body = body
      tab.shown.push(this)
    }
    close() {}
  }
  Object.assign(window, { Notification: Shown })
  const { start } = OscillatorNode.prototype
  OscillatorNode.prototype.start = function (when) {
    tab.tones += 1
    start.call(this, when)
  }
  navigator.locks.query = async () => {
    const answer = await LockManager.prototype.query.call(navigator.locks)
    tab.asked += 1
    return answer
  }
  localStorage.setItem('notifications', JSON.stringify({ on: true, has_sound: true }))
}

const say = (content: string) =>
  fixture.server.as('owner').call(sendToChannel, {
    id: fixture.server.channel('闲聊'),
    content: JSON.stringify({ type: 9, content }),
    nonce: content,
  })

/** Turns to a tab, or away from it, and waits until the others know. */
async function look(page: Page, isFocused: boolean): Promise<void> {
  await page.evaluate((it) => {
    ;(window as unknown as Tab).isFocused = it
    dispatchEvent(new Event(it ? 'focus' : 'blur'))
  }, isFocused)
  await expect.poll(() => lookedAt(page)).toBe(isFocused ? 1 : 0)
}

const lookedAt = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { held } = await LockManager.prototype.query.call(navigator.locks)
    return held!.filter(({ name }) => name === 'looked at').length
  })

test('a message calls in one of two tabs, in none while one is looked at, and leads to itself', async () => {
  const { page, context } = await fixture.open('member', { isDesk: true })
  await context.addInitScript(asDesk)
  const other = await context.newPage()
  await page.goto('/account')
  await other.goto('/friends')
  await expect.poll(() => lookedAt(page)).toBe(2)
  await page.evaluate(() => {
    ;(window as unknown as Tab).isFocused = false
    dispatchEvent(new Event('blur'))
  })
  await look(other, false)

  const all = async <T>(read: (tab: Tab) => T) =>
    Promise.all([page, other].map((each) => each.evaluate(`(${read})(window)`) as Promise<T>))
  const shown = async () => (await all((tab) => tab.shown.map(({ body }) => body))).flat().toSorted()
  await say('1 第一句')
  await expect.poll(shown).toEqual(['1 第一句'])
  await expect.poll(() => all((tab) => tab.asked)).toEqual([1, 1])
  await look(other, true)
  await say('2 第二句 (met)all(met)')
  await expect.poll(() => all((tab) => tab.asked)).toEqual([2, 1])
  for (const each of [page, other]) await expect(each).toHaveTitle(/^\(1\) /)
  await look(other, false)
  await say('3 第三句')
  await expect.poll(shown).toEqual(['1 第一句', '3 第三句'])
  // Two tones each.
  await expect.poll(async () => (await all((tab) => tab.tones)).reduce((sum, it) => sum + it)).toBe(4)

  const [mine] = await all((tab) => tab.shown.some(({ body }) => body.startsWith('3')))
  const calling = mine ? page : other
  await calling.evaluate(() => (window as unknown as Tab).shown.at(-1)!.onclick?.())
  await expect(calling.locator('[data-part=message-text]', { hasText: '3 第三句' })).toBeVisible()
})

test('the browser takes the manifest, and each icon has the size that it says', async () => {
  const page = await fixture.enter('member', '/account', { isDesk: true })
  const devtools = await page.context().newCDPSession(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { icons } = JSON.parse(data ?? '{}') as { icons: { src: string; sizes: string }[] }
  const pngs = icons.filter(({ sizes }) => sizes !== 'any')
  expect(pngs.length).toBe(4)
  const sizes = await page.evaluate(
    (sources) =>
      Promise.all(
        sources.map(async (src) => {
          const icon = Object.assign(new Image(), { src })
          await icon.decode()
          return `${icon.naturalWidth}x${icon.naturalHeight}`
        }),
      ),
    pngs.map(({ src }) => src),
  )
  expect(sizes).toEqual(pngs.map((it) => it.sizes))
})
