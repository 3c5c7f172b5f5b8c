import { useSyncExternalStore } from 'react'
import { recall, remember } from './storage.ts'

/** Light unless chosen otherwise, chat.md §4; the invite page is always dark. The same rule runs before the first
 * paint in public/theme.js. */
export type Theme = 'dark' | 'light'

const listeners = new Set<() => void>()
let forced: Theme | null = null

function chosen(): Theme {
  return recall('theme') === 'dark' ? 'dark' : 'light'
}

function show(): void {
  const theme = forced ?? chosen()
  document.documentElement.dataset.theme = theme
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', theme === 'dark' ? '#101317' : '#F3F5F7')
}

function tell(): void {
  show()
  for (const listener of listeners) listener()
}

/** Remembers a theme and shows it. */
export function setTheme(theme: Theme): void {
  remember('theme', theme)
  tell()
}

// Chosen in another tab, it is chosen here too.
addEventListener('storage', ({ key }) => {
  if (key === 'theme') tell()
})

/** Holds a page in one theme whatever was chosen; the answer lets go again. */
export function forceTheme(theme: Theme): () => void {
  forced = theme
  show()
  return () => {
    forced = null
    show()
  }
}

/** The chosen theme, re-rendering when it changes. */
export function useTheme(): Theme {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, chosen)
}
