import { createListeners } from '../listeners.ts'
import { readStored, writeStored } from './storage.ts'
import { themeMeta } from './themeColours.ts'

/**
 * The theme: light by default, chat.md §4; the invite page is always dark. app/served/beforePaint.ts
 * applies the same rule before the first paint.
 */
export type Theme = 'dark' | 'light'

const listeners = createListeners()
/** Subscribes to changes of the theme. */
export const onTheme = listeners.subscribe
/** The screens with a top bar that are shown. */
let topBars = 0
let forced: Theme | null = null

/** The theme that was chosen; light at first. */
export function storedTheme(): Theme {
  return readStored('theme') === 'dark' ? 'dark' : 'light'
}

function applyTheme(): void {
  const theme = forced ?? storedTheme()
  document.documentElement.dataset.theme = theme
  // The browser's own bar continues the page's ground, or the bar along its top.
  const meta = themeMeta()
  if (meta) meta.content = meta.dataset[theme]!.split(' ')[topBars > 0 ? 1 : 0]!
}

function notify(): void {
  applyTheme()
  listeners.notify()
}

/** Stores a theme and applies it. */
export function setTheme(theme: Theme): void {
  writeStored('theme', theme)
  notify()
}

// Another tab changed the theme.
addEventListener('storage', ({ key }) => {
  if (key === 'theme') notify()
})

/** Forces a theme, whatever is stored. Returns a function that ends this. */
export function forceTheme(theme: Theme): () => void {
  forced = theme
  applyTheme()
  return () => {
    forced = null
    applyTheme()
  }
}

/** The screen has a top bar, whose colour the browser's own bar takes. Returns a function that ends this. */
export function continueTopBar(): () => void {
  topBars += 1
  applyTheme()
  return () => {
    topBars -= 1
    applyTheme()
  }
}
