import { existsSync } from 'node:fs'
import { ensurePackages } from './packages.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The path of the browser for journeys; null when there is none. CHROMIUM overrides it. */
export function findChromium(): string | null {
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES
  return places.find((place) => existsSync(place)) ?? null
}

/** Installs the browser when it is missing, see `ensurePackages`; on systems other than Debian set CHROMIUM. */
export const ensureChromium = (): boolean =>
  ensurePackages('Chromium (or its path in CHROMIUM)', () => findChromium() !== null, [
    'chromium',
    'fonts-noto-cjk',
  ])
