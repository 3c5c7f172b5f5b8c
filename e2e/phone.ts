/** A phone: a separate browser context at 390x844, and the steps that journeys share. */
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test'
import { findChromium } from '../scripts/chromium.ts'

const ROOT = path.dirname(import.meta.dirname)
const ARTIFACTS = path.join(ROOT, 'artifacts')
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

export type Theme = 'light' | 'dark'

export interface Phone {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of the page: exceptions, console errors, blocked content. */
  readonly complaints: string[]
  close(): Promise<void>
}

/**
 * Starts the browser that all phones of a file share. `whole`: with windows and tabs, for journeys that open
 * tabs and for measurements; else its engine alone, which costs less than half.
 */
export async function openBrowser(build: 'shell' | 'whole' = 'shell'): Promise<Browser> {
  const executablePath = findChromium(build)
  if (!executablePath) throw new Error('There is no Chromium to drive.')
  return chromium.launch({
    executablePath,
    // Without a locale of UTF-8 the browser gives downloads no Chinese names.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export async function openPhone(
  browser: Browser,
  url: string,
  options: {
    theme?: Theme
    locale?: 'zh-CN' | 'en-US'
    userAgent?: string
    scripts?: boolean
    ignoreCertificates?: boolean
    /** A desk instead of a phone: 1280x800 and a mouse. */
    isDesk?: boolean
  } = {},
): Promise<Phone> {
  const context = await browser.newContext({
    baseURL: url,
    ...(options.isDesk
      ? { viewport: { width: 1280, height: 800 } }
      : { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }),
    locale: options.locale ?? 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    javaScriptEnabled: options.scripts ?? true,
    ignoreHTTPSErrors: options.ignoreCertificates ?? false,
    ...(options.userAgent && { userAgent: options.userAgent }),
  })
  // Ends a test that hangs; far above what a slow machine needs.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
  page.on('console', (message) => {
    // The browser also reports refused and aborted calls, which journeys check by what the page shows.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      complaints.push(message.text())
    }
  })
  if (options.theme) {
    const { theme } = options
    await context.addInitScript((it) => localStorage.setItem('theme', it), theme)
  }
  return {
    page,
    context,
    complaints,
    close: () => context.close(),
  }
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** Judgements of one screen, when something begins to move in each. */
const JUDGED_MOST = 10

/**
 * What axe finds, once nothing moves: it would measure a colour in the middle of a fade. Finite animations
 * end at once, and a judgement in which one began, as of a list that came meanwhile, is made again.
 */
const judge = (page: Page, rules: readonly string[] | null): Promise<Violation[]> =>
  page.evaluate(
    async ([most, runOnly]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(of: object): Promise<{ violations: Violation[] }> }
      }
      const finite = (all: readonly Animation[]) =>
        all.filter((it) => it.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      let hasMoved = false
      const notice = ({ target }: Event) => {
        if (finite((target as Element).getAnimations({ subtree: true })).length > 0) hasMoved = true
      }
      for (const name of ['animationstart', 'transitionrun']) document.addEventListener(name, notice, true)
      for (let left = most; ; left -= 1) {
        for (const animation of finite(document.getAnimations())) animation.finish()
        hasMoved = false
        const { violations } = await axe.run(runOnly ? { runOnly } : {})
        if (!hasMoved || left === 1) return violations
      }
    },
    [JUDGED_MOST as number, rules] as const,
  )

/** How long a page may take to open before it is judged as it is, ms. */
const OPENS_WITHIN_MS = 20_000

/** The rules of axe that another theme may break. */
const OF_COLORS = ['color-contrast', 'link-in-text-block']

/** Expects that the current screen violates no rule of axe, or none `of` colours. */
export async function expectAccessible(page: Page, of: 'all' | 'colors' = 'all'): Promise<void> {
  // A page that is still opening has no content to judge, or says only that it loads; one that stays so is
  // judged as it is.
  await page
    .waitForFunction(
      () => {
        const main = document.querySelector<HTMLElement>('main, [role=main]')
        const wait = main?.querySelector<HTMLElement>('[role=status]:has([class*=Spinner_])')
        return main && (!wait || wait.innerText.trim() !== main.innerText.trim())
      },
      null,
      { timeout: OPENS_WITHIN_MS },
    )
    .catch(() => undefined)
  // A sheet that was closed fades away for a moment, with colours that are none of the screen's.
  await page.waitForFunction(() => document.querySelector('[data-leaving]') === null)
  const judged = async () => {
    if (!(await page.evaluate(() => 'axe' in globalThis)))
      await page.evaluate(await readFile(axePath, 'utf8'))
    return (await judge(page, of === 'all' ? null : OF_COLORS)).flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
    )
  }
  // A window that was made wider has no content for a moment, while the columns of a desk are loaded.
  await expect.poll(judged).toEqual([])
}

/** What a picture shows; `small`: the screen, like a page with fewer pixels, in a fifth of the time. */
export type Pictured = 'screen' | 'page' | 'small'

/** Saves a screenshot as an artefact of the run. */
export async function picture(page: Page, name: string, what: Pictured = 'screen'): Promise<void> {
  await mkdir(ARTIFACTS, { recursive: true })
  await page.screenshot({
    path: path.join(ARTIFACTS, `${name}.png`),
    animations: 'disabled',
    fullPage: what === 'page',
    scale: what === 'screen' ? 'device' : 'css',
  })
}

/**
 * Taps twice in a moment. The times are those of the finger, not of this process, which may be slow between
 * the taps.
 */
export async function doubleTap(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const start = Date.now() / 1000
  for (const [after, type] of [
    [0, 'touchStart'],
    [0.04, 'touchEnd'],
    [0.12, 'touchStart'],
    [0.16, 'touchEnd'],
  ] as const)
    await devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchStart' ? [{ x, y }] : [],
      timestamp: start + after,
    })
  await devtools.detach()
}

/**
 * Goes back in the page's history, also to another document: an evaluation that the navigation ends would
 * throw.
 */
export const goBack = (page: Page): Promise<unknown> => page.evaluate(() => setTimeout(() => history.back()))

/**
 * Resolves when the page, which opens after this call, has connected for the first time: it then asks again
 * for all that it shows, and what failed before comes by itself.
 */
export const connects = (page: Page): Promise<unknown> =>
  page.waitForEvent('requestfinished', (it) => it.url().includes('/whileConnected-'))
