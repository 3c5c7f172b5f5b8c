import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** True when a program is on the path or in Debian's directories for administrators. */
export const hasProgram = (name: string): boolean =>
  [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/usr/local/sbin'].some((directory) =>
    existsSync(`${directory}/${name}`),
  )

/** True when this process may install Debian packages. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Ensures the programs that a test needs: installs Debian packages when this is root on a machine with apt, else prints
 * what to install. `wanted`: names of programs, or a function that returns whether all are installed.
 */
export function ensurePackages(
  purpose: string,
  wanted: readonly string[] | (() => boolean),
  packages: readonly string[],
): boolean {
  const isThere = () => (typeof wanted === 'function' ? wanted() : wanted.every(hasProgram))
  if (isThere()) return true
  const byHand = `apt-get update && apt-get install -y ${packages.join(' ')}`
  if (!canInstall()) {
    console.error(`The tests need ${purpose}. On Debian, as root: ${byHand}`)
    return false
  }
  console.log(`Installing ${purpose}: ${byHand}`)
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      // RUNLEVEL 1 keeps apt from starting installed packages as services.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    })
  for (const ran of [apt('update'), apt('install', '-y', '--no-install-recommends', ...packages)])
    if (ran.status !== 0) console.error(`${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-10).join('\n'))
  if (isThere()) return true
  console.error(`${purpose} could not be installed; the lines above say why. By hand: ${byHand}`)
  return false
}
