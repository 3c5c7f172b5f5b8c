/** The configuration, the keys, the disk and the running server. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { MB, MINUTE_MS, SECOND_MS } from '@guildhall/wire/unit.ts'
import { uploadsDirectory } from '../../app/adapters/stores.ts'
import { warningsOf } from '../../app/warnings.ts'
import type { Config } from '../../config.ts'
import { keysOf } from '../../kit/crypto/keys.ts'
import { openDiskOf } from '../../kit/files/disk.ts'
import { recordedAddress } from '../../kit/servedAddress.ts'
import { bad, type Finding, ok, orFine, warn } from './finding.ts'

const ANSWER_WITHIN_MS = 5 * SECOND_MS

export function checkConfiguration(config: Config): Finding[] {
  const found = warningsOf(config).map((line) =>
    warn('configuration', line, 'See docs/config.md for the variable that it names.'),
  )
  if (!config.production)
    found.push(
      warn(
        'configuration',
        'NODE_ENV is not production.',
        'Set NODE_ENV=production where people are served.',
      ),
    )
  if (config.production && config.demo)
    found.push(
      bad(
        'configuration',
        'DEMO=1 in production: the demo accounts have passwords that are meant to be shared.',
        'Set DEMO=0, and delete the demo accounts if they were seeded.',
      ),
    )
  if (config.production && !config.publicUrl.startsWith('https:'))
    found.push(
      bad(
        'configuration',
        `PUBLIC_URL is ${config.publicUrl}.`,
        'Set PUBLIC_URL to the https address of people.',
      ),
    )
  if (config.clockOffsetMs !== 0)
    found.push(
      bad(
        'clock',
        `CLOCK_OFFSET_S moves this server by ${config.clockOffsetMs / SECOND_MS} s.`,
        'Unset it: it is for tests.',
      ),
    )
  return orFine('configuration', 'nothing in it is known to be dangerous', found)
}

/** Whether there are keys outside of the database, and key files that others may read. */
export async function checkKeys({ dataDir, realName, keys, production }: Config): Promise<Finding[]> {
  const found: Finding[] = []
  const files = [path.join(dataDir, 'keys'), path.join(dataDir, 'keys', 'real-name.key'), keys.file]
  const missing = await keysOf(keys)
    .all()
    .then(
      () => null,
      (error: Error) => error.message,
    )
  if (missing !== null) {
    // Outside of production a start makes them.
    const say = production || (await statOrNull(keys.file)) ? bad : warn
    found.push(say('keys', missing, 'See “Keys” in docs/operations.md: second factors need them.'))
  }
  for (const file of files) {
    const mode = (await statOrNull(file))?.mode
    if (mode !== undefined && (mode & 0o077) !== 0)
      found.push(bad('keys', `${file} is open to other accounts of this machine.`, `chmod go-rwx ${file}`))
  }
  if (!realName.key && (await statOrNull(files[1]!)))
    found.push(
      warn(
        'keys',
        'The key of real names is a file of this machine alone.',
        'Keep a copy apart from the backups of the database; several nodes need REAL_NAME_KEY.',
      ),
    )
  return orFine('keys', `${keysOf(keys).source} is there, and no key is open to other accounts`, found)
}

const statOrNull = (file: string) => stat(file).catch(() => null)

export async function checkDisk(config: Config): Promise<Finding[]> {
  const uploads = uploadsDirectory(config)
  if (!(await statOrNull(uploads))) return [ok('disk', `${uploads} is made at the first start`)]
  const { free, total } = await openDiskOf(uploads, 0).space()
  const says = `${Math.floor(free / MB)} MB of ${Math.floor(total / MB)} MB are free at ${uploads}`
  const reserve = config.diskReserveMb * MB
  if (free < reserve)
    return [
      bad(
        'disk',
        `${says}, less than DISK_RESERVE_MB: uploads are refused.`,
        'Make room, or move uploads to a bucket (S3_ENDPOINT).',
      ),
    ]
  return free < 2 * reserve || free < total / 10
    ? [warn('disk', `${says}.`, 'Make room before uploads are refused.')]
    : [ok('disk', says)]
}

/** What the server that runs on this data directory says of itself. */
export async function checkServer({ dataDir }: Config): Promise<Finding[]> {
  const address = await recordedAddress(dataDir)
  if (address === null)
    return [warn('server', 'None has started on this data directory.', 'Start it: npm start.')]
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const body = (await answer.json()) as Readonly<Record<string, unknown>>
    const away = Object.entries(body).flatMap(([part, state]) =>
      part !== 'ok' && state === false ? [part] : [],
    )
    if (answer.ok) return [ok('server', `${address} is ready`)]
    return [
      bad(
        'server',
        `${address} is not ready: ${away.join(', ') || answer.status}.`,
        'See the lines below for these parts, and the server’s log.',
      ),
    ]
  } catch {
    return [
      bad(
        'server',
        `${address} does not answer.`,
        'Start it, or look at its log and at the proxy in front of it.',
      ),
    ]
  }
}

/** How far a clock may be off before codes and signatures fail. */
const CLOCK_OFF_WARN_MS = 2 * SECOND_MS
const CLOCK_OFF_BAD_MS = MINUTE_MS

/** `databaseNow`: the time of the database, ms, asked between `before` and `after` here. */
export function checkClock(input: {
  readonly before: number
  readonly databaseNow: number
  readonly after: number
}): Finding[] {
  const here = (input.before + input.after) / 2
  const off = Math.max(0, Math.abs(input.databaseNow - here) - (input.after - input.before) / 2)
  const says = `this machine and the database differ by ${(off / SECOND_MS).toFixed(1)} s`
  const what = 'Let both machines follow a time server (chrony, systemd-timesyncd).'
  if (off >= CLOCK_OFF_BAD_MS) return [bad('clock', `${says}: signatures of providers fail.`, what)]
  return off >= CLOCK_OFF_WARN_MS ? [warn('clock', `${says}.`, what)] : [ok('clock', says)]
}
