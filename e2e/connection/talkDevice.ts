/**
 * A device of the long talk: a page with its own network, on which somebody talks while its screen is
 * watched.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Dialog,
  expect,
  type Page,
} from '@playwright/test'
import { atRest, clickThose, isThere, restingBox } from '../ask.ts'
import { type Network, openNetwork } from '../network.ts'
import { openPhone } from '../phone.ts'
import { Line, type Sample, ScreenWatch, sampleOf } from './talkScreen.ts'

/** Between two looks at a screen, ms. */
const LOOK_EVERY_MS = 300
/** A step of a person that takes longer is given up: the message it was about went away. */
const STEP_MS = 3_000

/** Where the talk is. */
export interface Setup {
  readonly serverUrl: string
  readonly guildId: string
  readonly channelId: string
  readonly picture: Buffer
  readonly random: () => number
  /** Between two actions of one device, ms. */
  readonly everyMs: number
  /** How many tokens each name has used. */
  readonly counts: Map<string, number>
  /** Whether the database has, or had, the message with this token. */
  readonly isStored: (token: string) => Promise<boolean>
}

/** How often each thing was done. */
export type Doing = 'send' | 'picture' | 'edit' | 'delete' | 'react'

export interface Person {
  readonly sign: '甲' | '乙'
  readonly id: string
  readonly token: string
}

export class Device {
  readonly name: string
  readonly person: Person
  readonly isDesk: boolean
  readonly page: Page
  readonly context: BrowserContext
  readonly network: Network
  readonly line = new Line()
  readonly watch: ScreenWatch
  readonly complaints: readonly string[]
  /** What was sent here, by token. */
  readonly sent: string[] = []
  readonly done: Record<Doing, number> = { send: 0, picture: 0, edit: 0, delete: 0, react: 0 }
  /** Steps that were given up. */
  givenUp = 0
  /** Written and not sent. */
  draft: string | null = null
  /** The token of the picture in the composer, uploaded or not; null: none. */
  private picture: string | null = null
  /** Stands still: nothing can be asked of its page. */
  isAsleep = false
  /** Its person looks at the list of channels. */
  isListing = false
  private isReloading = false
  private hold: Dialog | null = null
  private readonly cdp: CDPSession
  private readonly setup: Setup
  private readonly closePhone: () => Promise<void>
  private isOver = false
  private isQuiet = false
  private turn: Promise<unknown> = Promise.resolve()
  private readonly loops: Promise<void>[] = []

  private constructor(it: {
    name: string
    person: Person
    isDesk: boolean
    page: Page
    context: BrowserContext
    network: Network
    complaints: readonly string[]
    cdp: CDPSession
    setup: Setup
    close: () => Promise<void>
  }) {
    this.name = it.name
    this.person = it.person
    this.isDesk = it.isDesk
    this.page = it.page
    this.context = it.context
    this.network = it.network
    this.complaints = it.complaints
    this.cdp = it.cdp
    this.setup = it.setup
    this.closePhone = it.close
    const { guildId, channelId } = it.setup
    const paths = new RegExp(`^/channels/${guildId}(/${channelId})?/?$`)
    this.watch = new ScreenWatch(it.name, this.line, paths)
    this.page.on('websocket', (socket) => {
      this.line.opened(socket)
      socket.on('framereceived', () => this.line.received(socket))
      socket.on('close', () => this.line.closed(socket))
    })
  }

  /** Logs somebody in on a phone or a desk of their own, and enters the room from the list of channels. */
  static async open(browser: Browser, person: Person, isDesk: boolean, setup: Setup): Promise<Device> {
    const network = await openNetwork(setup.serverUrl)
    const phone = await openPhone(browser, network.url, { isDesk })
    await phone.context.addInitScript((it) => {
      if (location.protocol === 'http:') localStorage.setItem('authorization', it)
    }, person.token)
    const cdp = await phone.context.newCDPSession(phone.page)
    const name = `${person.sign}${isDesk ? '桌' : '机'}`
    const close = async () => {
      await phone.close()
      await network.close()
    }
    const device = new Device({ name, person, isDesk, ...phone, network, cdp, setup, close })
    await phone.page.goto(`/channels/${setup.guildId}`)
    const link = phone.page.locator(`a[data-part=channel][href$="${setup.channelId}"]`)
    await (isDesk ? link.click() : link.tap())
    await device.start()
    return device
  }

  /** Another tab of the same browser, in the room. */
  async openTab(): Promise<Device> {
    const { person, isDesk, context, network, setup } = this
    const page = await context.newPage()
    const cdp = await context.newCDPSession(page)
    const close = () => page.close()
    const all = { person, isDesk, context, network, setup, page, cdp, close, complaints: [] }
    const tab = new Device({ name: `${person.sign}副`, ...all })
    await page.goto(`/channels/${setup.guildId}/${setup.channelId}`)
    await tab.start()
    return tab
  }

  private async start(): Promise<void> {
    await this.field.waitFor({ timeout: 60_000 })
    this.loops.push(this.look(), this.talk())
  }

  get field() {
    return this.page.locator('textarea[data-part=composer-input]')
  }

  /** Runs when no other step of this device does. */
  alone<T>(step: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(step, step)
    this.turn = mine.catch(() => undefined)
    return mine
  }

  /** Ends what it is doing, and does nothing more until `goOn`. */
  async hush(): Promise<void> {
    this.isQuiet = true
    await this.alone(async () => undefined)
  }

  get hasPicture(): boolean {
    return this.picture !== null
  }

  goOn(): void {
    this.isQuiet = false
  }

  /** Closes the page. A picture that is still in the composer goes with it. */
  async close(): Promise<void> {
    this.isOver = true
    await Promise.all(this.loops)
    await this.closePhone()
  }

  /** Writes a text and sends it. */
  async say(): Promise<string> {
    const token = this.newToken()
    await this.fill(token)
    await this.pressSend()
    this.sent.push(token)
    this.line.sent()
    this.done.send += 1
    return token
  }

  /** Writes a text and leaves it; `sendDraft` sends it. */
  async write(): Promise<void> {
    this.draft = this.newToken()
    await this.fill(this.draft)
  }

  async sendDraft(): Promise<void> {
    if (this.draft === null) return
    await this.pressSend()
    this.sent.push(this.draft)
    this.draft = null
  }

  async now(): Promise<Sample | null> {
    const from = Date.now()
    const sample = this.isAsleep ? null : await sampleOf(this.cdp)
    // The page that goes may still be seen for a while, and the next one begins with nothing.
    if (this.isReloading) this.watch.forgetRows()
    if (sample) this.watch.judge(sample, from)
    return sample
  }

  /**
   * The page stands still, as one in a pocket does: no timer, no frame. An open dialog holds it: no browser
   * freezes a visible page.
   */
  async sleep(): Promise<void> {
    this.isAsleep = true
    const held = this.page.waitForEvent('dialog')
    await this.run('setInterval(() => { globalThis.ticks += 1 }, 100)')
    await this.run('setTimeout(() => { globalThis.ticks = 0; alert() })')
    this.hold = await held
  }

  /**
   * Tells the page, as a browser does. Returns how many tenths of a second it lived through while it slept.
   */
  async wake(): Promise<number> {
    await this.hold?.accept()
    this.hold = null
    const ticks = Number(await this.run('globalThis.ticks'))
    await this.run("document.dispatchEvent(new Event('resume'))")
    this.isAsleep = false
    return ticks
  }

  private async run(expression: string): Promise<unknown> {
    return (await this.cdp.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  }

  async reload(): Promise<void> {
    this.isReloading = true
    this.line.kill('loading')
    await this.page.reload({ timeout: 60_000 })
    await this.page.locator('[data-part=message]').first().waitFor({ timeout: 60_000 })
    this.watch.forget()
    this.isReloading = false
  }

  async press(target: ReturnType<Page['locator']>): Promise<void> {
    await (this.isDesk ? target.click({ timeout: STEP_MS }) : target.tap({ timeout: STEP_MS }))
  }

  /** What is the case, for people who look for a fault. */
  state(): string {
    const { rows = [], bar, path } = this.watch.last ?? {}
    const outgoing = rows.filter(({ isOutgoing }) => isOutgoing).map(({ token }) => token)
    const { dead, carries, connectedSince } = this.line
    const newest = rows.slice(-4).map(({ text, reactions }) => [text, ...reactions].join(' '))
    const { hasPicture } = this
    return JSON.stringify({ path, bar, hasPicture, outgoing, dead, carries, connectedSince, newest })
  }

  /** The newest messages that the page keeps on its device: what it knows, whatever it shows. */
  savedPage(most: number): Promise<unknown> {
    return this.page.evaluate(
      ([channelId, most]) =>
        new Promise((resolve) => {
          const opening = indexedDB.open('guildhall')
          opening.onsuccess = () => {
            const asked = opening.result.transaction('pages').objectStore('pages').get(channelId)
            asked.onsuccess = () => {
              opening.result.close()
              const messages = (asked.result?.messages ?? []) as {
                content: string
                seq: number
                revision: number
                reactions: { emoji: { name: string }; count: number; me: boolean }[]
              }[]
              resolve(
                messages.slice(-most).map(({ content, seq, revision, reactions }) => ({
                  content,
                  seq,
                  revision,
                  reactions: reactions.map(
                    ({ emoji, count, me }) => `${emoji.name}${count}${me ? ' me' : ''}`,
                  ),
                })),
              )
            }
            asked.onerror = () => resolve(null)
          }
          opening.onerror = () => resolve(null)
        }),
      [this.setup.channelId, most] as const,
    )
  }

  private newToken(): string {
    const { counts } = this.setup
    const n = (counts.get(this.name) ?? 0) + 1
    counts.set(this.name, n)
    return `${this.name}-${String(n).padStart(4, '0')}`
  }

  private async fill(text: string): Promise<void> {
    await this.aboveSheets(() => this.field.fill(text, { timeout: STEP_MS }))
  }

  private async pressSend(): Promise<void> {
    await this.aboveSheets(async () => {
      const isSent = (await atRest(() => this.field.inputValue())) === ''
      if (isSent) return
      if (this.isDesk) await this.field.press('Enter', { timeout: STEP_MS })
      else await this.page.locator('[data-part=send]').tap({ timeout: STEP_MS })
      // A sheet that opened in this moment took the key.
      await expect(this.field).toHaveValue('', { timeout: STEP_MS })
    })
  }

  /** Acts until it succeeds: what was given up may open a sheet at any moment, which is closed each time. */
  private async aboveSheets(act: () => Promise<void>): Promise<void> {
    await expect(async () => {
      await this.closeSheets()
      await act()
    }).toPass({ timeout: 60_000 })
  }

  private async look(): Promise<void> {
    while (!this.isOver) {
      await this.now()
      await pause(LOOK_EVERY_MS)
    }
  }

  private async talk(): Promise<void> {
    const { random, everyMs } = this.setup
    while (!this.isOver) {
      await pause(everyMs * (0.5 + random()))
      if (this.isOver) return
      await this.alone(() => this.doSomething())
    }
  }

  private async doSomething(): Promise<void> {
    if (this.isQuiet || this.isAsleep || this.isListing || this.isOver) return
    const { random } = this.setup
    const dice = random()
    try {
      if (this.hasPicture) await this.finishPicture()
      else if (dice < 0.1) await this.react()
      else if (dice < 0.18) await this.edit()
      else if (dice < 0.23) await this.remove()
      else if (this.draft !== null) return
      else if (dice < 0.3) await this.sendPicture()
      else await this.say()
    } catch (error) {
      this.givenUp += 1
      console.log(
        `talk: ${this.name} gave up: ${String(error).split('\n').slice(0, 6).join(' | ').slice(0, 300)}`,
      )
      await this.closeSheets()
    }
  }

  /**
   * What a step opened that was given up, which may come late: on a broken line a sheet waits for its code.
   */
  async closeSheets(): Promise<void> {
    const open = this.page.locator('[role=dialog], [role=alertdialog]')
    for (let n = 0; n < 3 && (await isThere(open)); n += 1) {
      const names = await open.evaluateAll((all) => all.map((it) => it.textContent?.slice(0, 40)))
      console.log(`talk: ${this.name} closes ${names.join(' | ')}`)
      await this.page.keyboard.press('Escape')
      await pause(300)
    }
    // A message that is edited is no sheet: its field stands in its row.
    const edit = this.page.getByRole('form', { name: '编辑消息' })
    if (await isThere(edit)) await clickThose(edit.getByRole('button', { name: '取消', exact: true }))
  }

  private async sendPicture(): Promise<void> {
    // Without a connection an upload fails and says so; a person waits for the bar to go.
    if (this.line.dead || !this.line.carries) return
    const token = this.newToken()
    const file = { name: `${token}.png`, mimeType: 'image/png', buffer: this.setup.picture }
    await this.page.locator('input[data-attach]').setInputFiles(file)
    this.picture = token
    this.done.picture += 1
    await this.finishPicture()
  }

  /** Sends it; one whose upload failed is tried again first, as its chip offers. */
  async finishPicture(): Promise<void> {
    if (this.picture === null) return
    const again = this.page.locator('[data-part=attachment] button[aria-label^="重新上传"]').first()
    if (this.line.connectedSince !== null && (await isThere(again)))
      await this.press(again).catch(() => undefined)
    await clickThose(this.page.locator('[data-part=send]:enabled'))
    // After a reload the composer shows the picture only once it was read from the device.
    if (!(await this.hasLeft(this.picture))) return
    this.sent.push(this.picture)
    this.line.sent()
    this.picture = null
  }

  /** It is among the messages on screen, or was stored. */
  private async hasLeft(token: string): Promise<boolean> {
    const isShown = this.watch.last?.rows.some((row) => row.token === token) ?? false
    return isShown || (await this.setup.isStored(token))
  }

  /** One of the person's messages on screen that is stored and a text; null: none. */
  private ownRow(own: boolean) {
    const rows = this.watch.last?.rows.slice(-6).filter((row) => {
      const isText = row.text.startsWith(row.token)
      return !row.isOutgoing && row.token !== '' && (!own || (isText && this.sent.includes(row.token)))
    })
    const row = rows?.[Math.floor(this.setup.random() * rows.length)]
    return row ? this.page.locator('[data-part=message]', { hasText: row.token }) : null
  }

  private async openMenu(row: ReturnType<Page['locator']>): Promise<void> {
    if (this.isDesk) {
      await row.hover({ timeout: STEP_MS })
      await this.page
        .locator('[role=toolbar]')
        .getByRole('button', { name: /更多操作/ })
        .click({ timeout: STEP_MS })
    } else {
      await row.waitFor({ timeout: STEP_MS })
      // Not the middle of the row, where a reaction may be: held, it shows who reacted.
      const box = await restingBox(row.locator('[data-part=message-text],[data-part=picture]').first())
      const touchPoints = [{ x: box.x + 8, y: box.y + box.height / 2 }]
      await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
      await pause(600)
      await this.cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    }
    await this.menu.waitFor({ timeout: STEP_MS })
  }

  private get menu() {
    return this.page.getByRole('dialog', { name: /的消息$/ })
  }

  private item(label: string) {
    return this.menu.getByRole('button', { name: label, exact: true })
  }

  private async react(): Promise<void> {
    const row = this.ownRow(false)
    if (!row) return
    await this.openMenu(row)
    await this.press(this.page.locator('[data-part=quick-emoji]').nth(Math.floor(this.setup.random() * 3)))
    this.done.react += 1
  }

  private async edit(): Promise<void> {
    const row = this.ownRow(true)
    if (!row) return
    await this.openMenu(row)
    await this.press(this.item('编辑'))
    const input = this.page.locator('[data-part=edit-input]')
    await input.waitFor({ timeout: STEP_MS })
    await input.fill(`${await atRest(() => input.inputValue())} 改`)
    const form = this.page.getByRole('form', { name: '编辑消息' })
    await this.press(form.getByRole('button', { name: '保存', exact: true }))
    this.done.edit += 1
  }

  private async remove(): Promise<void> {
    const row = this.ownRow(true)
    if (!row) return
    await this.openMenu(row)
    await this.press(this.item('删除'))
    const asks = this.page.getByRole('alertdialog', { name: '确定要删除这条消息吗？' })
    // One that is given up may have been pressed.
    this.done.delete += 1
    await this.press(asks.getByRole('button', { name: '删除', exact: true }))
  }
}
