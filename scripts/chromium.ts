import { existsSync } from 'node:fs'
import { canInstall, ensurePackages } from './packages.ts'

/** Chromium's engine without windows, tabs and extensions: a page costs it less than half the processor time. */
const SHELLS = ['/usr/bin/chromium-headless-shell']
const BROWSERS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * The path of the browser for journeys; null when there is none. CHROMIUM overrides it. Without the shell, which not every
 * system has, the whole browser serves for it.
 */
export function findChromium(build: 'shell' | 'whole' = 'shell'): string | null {
  if (process.env.CHROMIUM) return existsSync(process.env.CHROMIUM) ? process.env.CHROMIUM : null
  const places = build === 'shell' ? [...SHELLS, ...BROWSERS] : BROWSERS
  return places.find((place) => existsSync(place)) ?? null
}

const hasShell = () => findChromium('shell') !== findChromium('whole')

/** Installs the browser when it is missing, see `ensurePackages`; on systems other than Debian set CHROMIUM. */
export function ensureChromium(): boolean {
  const packages = ['chromium', 'fonts-noto-cjk']
  const isThere = () => findChromium('whole') !== null
  if (!process.env.CHROMIUM && !hasShell() && canInstall())
    ensurePackages('Chromium and its headless shell', () => isThere() && hasShell(), [
      ...packages,
      'chromium-headless-shell',
    ])
  return ensurePackages('Chromium (or its path in CHROMIUM)', isThere, packages)
}
