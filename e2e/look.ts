/** How a screen looks: judged by axe, and kept as pictures, in both themes. */
import { expect, type Page } from '@playwright/test'
import { expectAccessible, picture, type Theme } from './phone.ts'

/** Switches the theme of an open page as another tab of it does. */
async function switchTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((it) => {
    localStorage.setItem('theme', it)
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  }, theme)
}

/** What is at most this much wider than a picture belongs to it, as a ring does, px. */
const RING = 12

/**
 * Expects that what stands closely around a picture of a person or guild is as high as it is wide, as the
 * picture is: else rings are eggs, and dots are beside faces.
 */
export const expectSquare = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate((ring) => {
        // By its class: a mark of its own would cost each page that loads quickly its bytes.
        const pictures = document.querySelectorAll<HTMLElement>('[class*=AvatarImage_]')
        const sizeOf = (it: Element) => it.getBoundingClientRect()
        const framesOf = (picture: HTMLElement) => {
          const frames: HTMLElement[] = []
          const most = sizeOf(picture).width + ring
          for (let it: HTMLElement | null = picture; it && sizeOf(it).width <= most; it = it.parentElement)
            frames.push(it)
          return frames
        }
        return [...pictures]
          .flatMap(framesOf)
          .filter((it) => Math.abs(sizeOf(it).width - sizeOf(it).height) > 0.5)
          .map((it) => `${it.outerHTML.slice(0, 80)} ${sizeOf(it).width}x${sizeOf(it).height}`)
      }, RING),
    )
    .toEqual([])

/**
 * Expects that the current screen is accessible in the light and in the dark theme and its pictures square,
 * and saves a picture of each theme, where there is a name for them. The page is light afterwards.
 */
export async function look(page: Page, name?: string, whole: 'screen' | 'page' = 'screen'): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await switchTheme(page, theme)
    await expectAccessible(page)
    if (name) await picture(page, `${name}-${theme}`, whole)
  }
  await expectSquare(page)
}
