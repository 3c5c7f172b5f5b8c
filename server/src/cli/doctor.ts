/**
 * `doctor`: looks at everything that an operator would, and says in one line each what is wrong and what to
 * do.
 */
import type { Config } from '../config.ts'
import { clock } from '../kit/clock.ts'
import type { Database } from '../kit/database/db.ts'
import { MIGRATE, NoDatabase, openSharedStore } from '../kit/database/store.ts'
import { openLog } from '../kit/log.ts'
import { checkBackups } from './doctor/backups.ts'
import {
  checkBloat,
  checkConnections,
  checkIndexes,
  checkSlowStatements,
  checkVersion,
  databaseNow,
} from './doctor/database.ts'
import { checkShared, checkUploads } from './doctor/files.ts'
import { bad, type Finding, lineOf, looking, ok, warn } from './doctor/finding.ts'
import { checkClock, checkConfiguration, checkDisk, checkKeys, checkServer } from './doctor/machine.ts'
import { checkLedger } from './doctor/money.ts'
import { checkProviders } from './doctor/providers.ts'
import { checkRedis } from './doctor/redis.ts'
import { checkReplica } from './doctor/replica.ts'
import { checkSealed } from './doctor/sealed.ts'
import { checkSite } from './doctor/site.ts'
import { checkQueues, checkReviews } from './doctor/work.ts'
import { withJobs } from './jobs.ts'

export interface Diagnosis {
  /** Nothing is bad. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

/**
 * Looks at the configuration, the keys, the operator's face, the clock, the disk, the uploads, the backups,
 * the database, Redis, the providers, the ledger and the queues. It changes nothing, and goes on when one of
 * them is away. `say` receives a line each, the bad ones first.
 */
export async function diagnose(config: Config, say: (line: string) => void): Promise<Diagnosis> {
  const beside = Promise.all([
    looking('configuration', async () => checkConfiguration(config)),
    looking('keys', () => checkKeys(config)),
    looking('site', () => checkSite(config)),
    looking('disk', () => checkDisk(config)),
    looking('files', async () => checkShared(config)),
    looking('server', () => checkServer(config)),
    looking('redis', () => checkRedis(config)),
    looking('providers', () => checkProviders(config)),
  ])
  const stored = await checkStore(config)
  const findings = [...(await beside).flat(), ...stored].toSorted((a, b) => ORDER[a.health] - ORDER[b.health])
  for (const finding of findings) say(lineOf(finding))
  return { ok: findings.every(({ health }) => health !== 'bad'), findings }
}

const ORDER = { bad: 0, warn: 1, ok: 2 } as const

/** What only the database knows. */
async function checkStore(config: Config): Promise<readonly Finding[]> {
  const { dataDir, databaseUrl } = config
  try {
    const store = await openSharedStore({ dataDir, databaseUrl, log: openLog('quiet', process.stderr) })
    try {
      return [checkTables(store.waiting), ...(await checkDatabase(store.database, config))]
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof NoDatabase)
      return [bad('database', `${error.what}.`, `Start the server, or ${MIGRATE}.`)]
    return [
      bad(
        'database',
        `It cannot be opened: ${(error as Error).message}`,
        databaseUrl === null
          ? 'See the log of PostgreSQL in DATA_DIR, and whether the disk is full.'
          : 'See whether the database of DATABASE_URL runs, and whether this machine reaches it.',
      ),
    ]
  }
}

/** The checks below read tables: one that needs what they lack is a finding itself. */
const checkTables = (waiting: readonly string[]): Finding =>
  waiting.length === 0
    ? ok('tables', 'they are those of this version')
    : warn(
        'tables',
        `They are older than this program: ${waiting.length} migrations wait, from ${waiting[0]} on.`,
        `Start the server of this version, or ${MIGRATE}.`,
      )

async function checkDatabase(database: Database, config: Config): Promise<readonly Finding[]> {
  const { db } = database
  const checks: readonly (readonly [name: string, look: () => Promise<readonly Finding[]>])[] = [
    ['database version', () => checkVersion(db)],
    [
      'clock',
      async () => {
        const before = clock.now()
        const now = await databaseNow(db)
        return checkClock({ before, databaseNow: now, after: clock.now() })
      },
    ],
    ['replica', () => checkReplica(db, config)],
    ['sealed data', () => checkSealed(db, config)],
    ['files', () => checkUploads(db, config)],
    ['backups', () => checkBackups(db)],
    ['indexes', () => checkIndexes(db)],
    ['bloat', () => checkBloat(db)],
    ['connections', () => checkConnections(db)],
    ['slow statements', () => checkSlowStatements(db)],
    ['ledger', () => checkLedger(db)],
    ['background work', () => withJobs(database, async (jobs) => checkQueues(await jobs.states()))],
    ['reviews', () => checkReviews(db)],
  ]
  const found: Finding[] = []
  for (const [name, look] of checks) found.push(...(await looking(name, look)))
  return found
}
