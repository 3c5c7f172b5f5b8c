/**
 * Opens the parts below the nouns: what judges, stores, carries and counts. Seeds the demo world into an
 * empty database.
 */
import { siteName } from '@guildhall/wire/siteName.ts'
import type { Config } from '../config.ts'
import { seedWorld } from '../demo/seed.ts'
import { dressWorld } from '../demo/showcase.ts'
import type { Database } from '../kit/database/db.ts'
import { openReplica, type Replica } from '../kit/database/replica.ts'
import { openJobs } from '../kit/jobs.ts'
import { Limits, memoryRateLimiter, type RateLimiter, redisRateLimiter } from '../kit/limits/rateLimit.ts'
import type { Log } from '../kit/log.ts'
import { openMetrics } from '../kit/metrics/metrics.ts'
import type { ModuleContext } from '../kit/module.ts'
import { openSecurityLog, type SecurityLog } from '../kit/securityLog.ts'
import { openModeration } from '../moderation/moderation.ts'
import type { SafeFetch } from '../outside/safeFetch.ts'
import { type OpenScreening, openScreening } from '../screening/screening.ts'
import { nameOfficialAccount } from '../user/user.ts'
import { openContentReview } from './adapters/contentReview.ts'
import { openStores, type UploadStores } from './adapters/stores.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { openKeys } from './keys.ts'

/** The parts that the app closes, and what modules are made from. */
export interface Below {
  readonly context: ModuleContext
  readonly cluster: Cluster
  readonly stores: UploadStores
  readonly screening: OpenScreening
  readonly security: SecurityLog
  /** Null: there is none. */
  readonly replica: Replica | null
  /** Where calls are counted. */
  readonly windows: RateLimiter
}

export async function openBelow({
  config,
  database,
  log,
  webDir,
  dress,
  safeFetch,
}: {
  readonly config: Config
  readonly database: Database
  readonly log: Log
  readonly webDir: string
  readonly dress: ModuleContext['dress']
  readonly safeFetch: SafeFetch | null
}): Promise<Below> {
  const { db } = database
  const keys = await openKeys(config, db, log)
  const metrics = openMetrics()
  const { whenDown } = config.contentReview
  const service = openContentReview(config)
  const screening = await openScreening({
    db,
    log,
    service,
    whenDown,
    metrics: metrics.screening,
    operatorNames: Object.values(siteName),
  })
  const stores = await openStores(config, db, safeFetch, screening)
  const isNew = config.demo && (await seedWorld(db, keys, async () => stores))
  if (isNew && config.hasDemoApp) await dressWorld(db, stores, config.publicUrl)

  await nameOfficialAccount(db)

  const cluster = await openCluster({ config, database, log, metrics })
  const { bus, presence } = cluster
  const windows = cluster.redis ? redisRateLimiter(cluster.redis, cluster.prefix) : memoryRateLimiter()
  const security = openSecurityLog(db, log)
  const jobs = await openJobs({ pool: database.pool, log })
  const { databaseReadUrl: url } = config
  const replica = url === null ? null : openReplica({ url, primary: db, metrics: metrics.replica, log })
  const appContext = {
    db,
    ...(replica && { replica }),
    bus,
    presence,
    screening,
    publicUrl: config.publicUrl,
    ways: config.registration.ways,
    verifiesNames: config.realName.tencent !== null || config.realName.isLocal,
    addresses: stores.addresses,
  }
  const context: ModuleContext = {
    config,
    keys,
    appContext: { ...appContext, moderation: openModeration({ appContext, jobs, windows, log }) },
    jobs,
    alone: database.alone,
    limits: new Limits(windows, config.rateLimitScale),
    log,
    metrics,
    security,
    webDir,
    dress,
  }
  return { context, cluster, stores, screening, security, replica, windows }
}
