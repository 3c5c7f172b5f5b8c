import { existsSync } from 'node:fs'
import { canInstall, ensurePackages, NEEDS } from './packages.ts'

/**
 * Chromium's engine without windows, tabs and extensions: a page costs it less than half the processor time.
 */
const SHELLS = ['/usr/bin/chromium-headless-shell']
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * The path of the browser for journeys; null when there is none. CHROMIUM overrides it. Without the shell,
 * which not every system has, the whole browser serves for it.
 */
export function findChromium(build: 'shell' | 'whole' = 'shell'): string | null {
  if (process.env.CHROMIUM) return existsSync(process.env.CHROMIUM) ? process.env.CHROMIUM : null
  const paths = build === 'shell' ? [...SHELLS, ...BROWSERS] : BROWSERS
  return paths.find((path) => existsSync(path)) ?? null
}

const hasWhole = () => findChromium('whole') !== null
const hasShell = () => findChromium('shell') !== findChromium('whole')

/**
 * Installs the browser when it is missing, see `ensurePackages`; its shell too, where this process may
 * install packages.
 */
export function ensureChromium(): boolean {
  if (process.env.CHROMIUM || !canInstall()) return ensurePackages(NEEDS.chromium, hasWhole)
  // Where Debian has no shell the whole browser is enough.
  return ensurePackages(NEEDS.chromium, () => hasWhole() && hasShell()) || hasWhole()
}
