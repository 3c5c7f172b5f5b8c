/**
 * Reads of a page that wait until what they read has come to rest. What is read once may be read a moment too
 * early, so lint refuses it outside of this file: scripts/lint/waitingReads.grit.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, type Locator, type Page } from '@playwright/test'

/** How long something must not have changed to be at rest, ms. */
const REST_MS = 300
const LOOK_EVERY_MS = 50

/** What a read returns once it has returned the same for a while. `fits`: what else it has to do. */
export async function atRest<T>(
  read: () => Promise<T>,
  fits: (value: T) => boolean = () => true,
): Promise<T> {
  let last: string | undefined
  let since = 0
  for (;;) {
    const value = await read()
    const now = JSON.stringify(value)
    if (now !== last) {
      last = now
      since = Date.now()
    } else if (fits(value) && Date.now() - since >= REST_MS) return value
    await pause(LOOK_EVERY_MS)
  }
}

type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Where something is once it has stopped moving, also on a slow machine. */
export const restingBox = (it: Locator): Promise<Box> =>
  atRest(() => it.boundingBox(), Boolean) as Promise<Box>

/** Whether the first of two elements is shown, and not the second: waits until one of them is. */
export async function isFirst(one: Locator, other: Locator): Promise<boolean> {
  await one.or(other).waitFor()
  return one.isVisible()
}

/** Whether an element is there at this moment: for loops that make it come, and look again and again. */
export const isThere = async (it: Locator): Promise<boolean> => (await it.count()) > 0

/**
 * Clicks those elements that are there at this moment; one that goes away meanwhile is left. For those who
 * look again.
 */
export async function clickThose(all: Locator): Promise<void> {
  for (const each of await all.all()) await each.click({ timeout: 2_000 }).catch(() => undefined)
}

/**
 * Clicks what closes its own page or frame, which may be gone before the click is answered. `gone` resolves
 * when it is.
 */
export async function clickAway(it: Locator, gone: Promise<unknown>): Promise<void> {
  await Promise.any([gone, it.click()])
  await gone
}

/**
 * Expects that a jump marks the message with these words. The mark lasts a moment: the page itself watches,
 * from before `act`.
 */
export async function expectFlash(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  const flash = page.waitForFunction(
    (it) => document.querySelector('[data-flash] [data-part=message-text]')?.textContent?.trim() === it,
    text,
  )
  await Promise.all([flash, act()])
}

/** Expects that nothing of a page is wider than its screen. */
export const expectFits = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(page.viewportSize()!.width)

/** Expects a value in the page's `localStorage`; null: there is none. */
export const expectStored = (page: Page, key: string, value: string | null): Promise<void> =>
  expect
    // A page that is just replaced by the next one cannot be asked.
    .poll(() => page.evaluate((it) => localStorage.getItem(it), key).catch(() => undefined))
    .toBe(value)

/**
 * Expects that the columns of a desk are there, which come after the room: until then keys lead nowhere.
 */
export const expectDesk = (page: Page): Promise<void> =>
  expect(page.getByRole('navigation', { name: /^(频道|Channels)$/ })).toBeVisible()

/**
 * Expects that what a phone loads after the first screen of a room has come: what fingers do, and the way
 * through its pictures.
 */
export const expectTools = (page: Page): Promise<void> =>
  expect(page.locator('[data-part=swipe-sign]')).toBeAttached()

/** How many entries a store of the browser's database has: a page writes them after it shows them. */
export const keptIn = (page: Page, store: string): Promise<number> =>
  page.evaluate(
    (name) =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('guildhall')
        opening.onsuccess = () => {
          const db = opening.result
          const done = (count: number) => {
            db.close()
            resolve(count)
          }
          if (!db.objectStoreNames.contains(name)) return done(0)
          const count = db.transaction(name).objectStore(name).count()
          count.onsuccess = () => done(count.result)
        }
      }),
    store,
  )
