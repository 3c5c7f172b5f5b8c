import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const PACKAGES = ['chromium', 'fonts-noto-cjk']

/** Where the browser that journeys are driven in is; null when there is none. CHROMIUM names another place. */
export function findChromium(): string | null {
  const places = process.env.CHROMIUM ? [process.env.CHROMIUM] : PLACES
  return places.find((place) => existsSync(place)) ?? null
}

/** Makes sure there is a browser: installs Debian's when this is root on a machine with apt, else says what to install. */
export function ensureChromium(): boolean {
  if (findChromium()) return true
  const byHand = `apt-get update && apt-get install -y ${PACKAGES.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `The browser tests need Chromium. On Debian, as root: ${byHand}. Elsewhere, set CHROMIUM to its path.`,
    )
    return false
  }
  console.log(`Installing Chromium: ${byHand}`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  for (const ran of [apt('update'), apt('install', '-y', '--no-install-recommends', ...PACKAGES)])
    if (ran.status !== 0) console.error(`${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-10).join('\n'))
  if (findChromium()) return true
  console.error(`Chromium could not be installed; the lines above say why. By hand: ${byHand}`)
  return false
}
