/** The programs that tests need beside Node, and how each system gets them. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** A package manager, and the command that installs packages by it. */
const MANAGERS = {
  apt: 'apt-get update && apt-get install -y',
  dnf: 'dnf install -y',
  pacman: 'pacman -S --needed',
  brew: 'brew install',
  winget: 'winget install',
} as const
type Manager = keyof typeof MANAGERS

/**
 * What a test needs: what for, the programs, and their packages by manager. A manager that is missing has no
 * such package.
 */
export interface Need {
  readonly purpose: string
  readonly programs: readonly string[]
  readonly packages: Readonly<Partial<Record<Manager, readonly string[]>>>
}

export const NEEDS = {
  redis: {
    purpose: 'Redis, through which nodes talk',
    programs: ['redis-server'],
    packages: { apt: ['redis-server'], dnf: ['redis'], pacman: ['redis'], brew: ['redis'] },
  },
  chromium: {
    purpose: 'Chromium (or its path in CHROMIUM)',
    programs: ['chromium'],
    packages: {
      apt: ['chromium', 'chromium-headless-shell', 'fonts-noto-cjk'],
      dnf: ['chromium', 'google-noto-sans-cjk-fonts'],
      pacman: ['chromium', 'noto-fonts-cjk'],
      brew: ['--cask', 'google-chrome', 'font-noto-sans-cjk'],
      winget: ['Google.Chrome'],
    },
  },
  postgres: {
    purpose: 'PostgreSQL, to be restarted',
    programs: ['initdb'],
    packages: {
      apt: ['postgresql'],
      dnf: ['postgresql-server'],
      pacman: ['postgresql'],
      brew: ['postgresql'],
    },
  },
  nginx: {
    purpose: 'nginx, the reverse proxy',
    programs: ['nginx', 'openssl'],
    packages: {
      apt: ['nginx-light', 'openssl'],
      dnf: ['nginx', 'openssl'],
      pacman: ['nginx', 'openssl'],
      brew: ['nginx', 'openssl'],
    },
  },
  prometheus: {
    purpose: 'Prometheus, which evaluates the alerts',
    programs: ['prometheus'],
    packages: {
      apt: ['prometheus'],
      dnf: ['golang-github-prometheus'],
      pacman: ['prometheus'],
      brew: ['prometheus'],
    },
  },
  faketime: {
    purpose: 'libfaketime, which sets clocks',
    programs: ['faketime'],
    packages: { apt: ['libfaketime'], dnf: ['libfaketime'], pacman: ['libfaketime'] },
  },
} as const satisfies Record<string, Need>

/** Where programs are: the path, and Debian's directories for administrators. */
export function programDirectories(
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string[] {
  const onPath = (env.PATH ?? env.Path ?? '').split(platform === 'win32' ? ';' : ':')
  return [...onPath, ...(platform === 'win32' ? [] : ['/usr/sbin', '/usr/local/sbin'])].filter(
    (directory) => directory !== '',
  )
}

/** The path of a program; null when there is none. */
export function findProgram(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
): string | null {
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name]
  const found = programDirectories(env, platform).flatMap((directory) =>
    names.map((each) => path.join(directory, each)),
  )
  return found.find((file) => existsSync(file)) ?? null
}

/** This system's package manager; null when it is none that is known. */
function findManager(): Manager | null {
  if (process.platform === 'win32') return 'winget'
  if (process.platform === 'darwin') return 'brew'
  if (existsSync('/usr/bin/apt-get')) return 'apt'
  return (['dnf', 'pacman'] as const).find((name) => findProgram(name) !== null) ?? null
}

/** One line that says what to install, by a package manager. */
export function installLine({ purpose, packages }: Need, manager: Manager | null): string {
  const names = manager && packages[manager]
  if (manager === 'winget' && !names)
    return `The tests need ${purpose}. Windows has no package of it: run them in WSL.`
  if (!manager || !names) return `The tests need ${purpose}. Install it by your system’s package manager.`
  const asRoot = manager === 'brew' || manager === 'winget' ? '' : ', as root'
  return `The tests need ${purpose}. Install it${asRoot}: ${MANAGERS[manager]} ${names.join(' ')}`
}

/** True when this process may install packages by itself: root on Debian. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

/**
 * Runs a command when no other run of the tests on this machine runs one like this: `apt-get update` does not
 * wait for the lock of another, and while a package is being installed its program is there before its
 * libraries are. The lock is on the folder of the packages, which all users of the machine share.
 */
const runAlone = (...command: string[]) =>
  spawnSync('flock', ['--timeout', '300', '/var/lib/dpkg', ...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    // RUNLEVEL 1 keeps apt from starting installed packages as services.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
  })

/**
 * Ensures the programs that a test needs: installs them when this is root on a machine with apt, else prints
 * in one line what to install. `isThere`: how they are found, where it is not by their names. False when they
 * are missing.
 */
export function ensurePackages(
  need: Need,
  isThere: () => boolean = () => need.programs.every((name) => findProgram(name) !== null),
): boolean {
  if (canInstall()) runAlone('true')
  if (isThere()) return true
  if (!canInstall()) {
    console.error(installLine(need, findManager()))
    return false
  }
  const packages = need.packages.apt ?? []
  console.log(`Installing ${need.purpose}: ${MANAGERS.apt} ${packages.join(' ')}`)
  const apt = (...args: string[]) => runAlone('apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300', ...args)
  for (const ran of [apt('update'), apt('install', '-y', '--no-install-recommends', ...packages)])
    if (ran.status !== 0) console.error(`${ran.stdout}${ran.stderr}`.trim().split('\n').slice(-10).join('\n'))
  if (isThere()) return true
  console.error(`It could not be installed; the lines above say why. ${installLine(need, 'apt')}`)
  return false
}
