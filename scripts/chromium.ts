import { existsSync } from 'node:fs'
import { ensurePackages } from './packages.ts'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Where the browser that journeys are driven in is; null when there is none. CHROMIUM names another place. */
export function findChromium(): string | null {
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES
  return places.find((place) => existsSync(place)) ?? null
}

/** Makes sure there is a browser, see `ensurePackages`; elsewhere than on Debian, CHROMIUM names one. */
export const ensureChromium = (): boolean =>
  ensurePackages('Chromium (or its path in CHROMIUM)', () => findChromium() !== null, [
    'chromium',
    'fonts-noto-cjk',
  ])
