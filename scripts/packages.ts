import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** True when a program is on the path, or where Debian puts those for administrators. */
export const hasProgram = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'].some((directory) =>
    existsSync(`${directory}/${name}`),
  )

/**
 * Makes sure that what a test needs is there: installs Debian's packages when this is root on a machine with apt,
 * else says what to install. `wanted` names programs, or answers whether all is there.
 */
export function ensurePackages(
  purpose: string,
  wanted: readonly string[] | (() => boolean),
  packages: readonly string[],
): boolean {
  const isThere = () => (typeof wanted === 'function' ? wanted() : wanted.every(hasProgram))
  if (isThere()) return true
  const byHand = `apt-get update && apt-get install -y ${packages.join(' ')}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(`The tests need ${purpose}. On Debian, as root: ${byHand}`)
    return false
  }
  console.log(`Installing ${purpose}: ${byHand}`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      // RUNLEVEL 1: what is installed for a test does not start as a service of this machine.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
  for (const ran of [apt('update'), apt('install', '-y', '--no-install-recommends', ...packages)])
    if (ran.status !== 0) console.error(`${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-10).join('\n'))
  if (isThere()) return true
  console.error(`${purpose} could not be installed; the lines above say why. By hand: ${byHand}`)
  return false
}
