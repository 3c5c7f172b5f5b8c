/** How a screen looks: judged by axe, and kept as pictures, in both themes. */
import type { Page } from '@playwright/test'
import { expectAccessible, picture, type Theme } from './phone.ts'

/** Switches the theme of an open page as another tab of it does. */
async function switchTheme(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((it) => {
    localStorage.setItem('theme', it)
    dispatchEvent(new StorageEvent('storage', { key: 'theme' }))
  }, theme)
}

/**
 * Expects that the current screen is accessible in the light and in the dark theme, and saves a picture of
 * each, where there is a name for them. The page is light afterwards.
 */
export async function look(page: Page, name?: string, whole: 'screen' | 'page' = 'screen'): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await switchTheme(page, theme)
    await expectAccessible(page)
    if (name) await picture(page, `${name}-${theme}`, whole)
  }
}
