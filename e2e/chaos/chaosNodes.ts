/**
 * What chaos is made in: two nodes in production mode, their PostgreSQL and Redis, providers of SMS, and
 * Prometheus.
 */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ensurePackages, NEEDS } from '../../scripts/packages.ts'
import { readWorld, type World } from '../../server/src/demo/world.ts'
import {
  findPostgres,
  openTestPostgres,
  type TestPostgres,
} from '../../server/src/testing/database/postgres.ts'
import { openTestRedis, type TestRedis } from '../../server/src/testing/nodes/redis.ts'
import { openSmsServer, type SmsServer, smsVariables } from '../../server/src/testing/outside/smsServer.ts'
import { freePort } from '../../server/src/testing/port.ts'
import {
  inspect,
  type ServerLocation,
  type ServerProcess,
  startServerProcess,
} from '../../server/src/testing/process.ts'
import { type FakeClock, haveFaketime, openFakeClock } from '../faketime.ts'
import { havePrometheus, type Prometheus, startPrometheus } from '../prometheus.ts'

const METRICS_TOKEN = 'a-token-of-the-operator'
const DISK_MB = 128

export interface Nodes {
  readonly postgres: TestPostgres
  readonly redis: TestRedis
  readonly sms: SmsServer
  readonly prometheus: Prometheus
  readonly world: World
  readonly locations: readonly ServerLocation[]
  readonly servers: ServerProcess[]
  /** The clock of node 1. */
  readonly clock: FakeClock
  /**
   * Whether the nodes keep their files on a small disk, that of node 0, which can be filled. Mounting one
   * needs root.
   */
  readonly hasSmallDisk: boolean
  /** Whether `/readyz` tells when a disk has no room. */
  readonly tellsDisk: boolean
  url(node: number): string
  restart(node: number): Promise<void>
  /** The parts of `/readyz`; null when the node does not answer. */
  readiness(node: number): Promise<Readonly<Record<string, boolean>> | null>
  areReady(): Promise<boolean>
  close(): Promise<void>
}

/** False when something is missing and cannot be installed; it is said what. */
export const haveAll = (): boolean =>
  ensurePackages(NEEDS.redis) &&
  ensurePackages(NEEDS.postgres, () => findPostgres() !== null) &&
  haveFaketime() &&
  havePrometheus()

export async function openNodes(): Promise<Nodes> {
  const root = await mkdtemp(path.join(tmpdir(), 'guildhall-chaos-'))
  await chmod(root, 0o755)
  const [postgres, redis, sms] = await Promise.all([openTestPostgres(), openTestRedis(), openSmsServer()])
  const clock = await openFakeClock(path.join(root, 'clock'))
  const smallDisk = path.join(root, 'node-0')
  const hasSmallDisk = mountDisk(smallDisk)
  const shared = {
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    env: { ...productionEnv(sms.url), UPLOADS_SHARED_DIR: path.join(smallDisk, 'uploads') },
  }
  const locations: ServerLocation[] = [
    { ...shared, dataDir: smallDisk, port: await freePort() },
    {
      ...shared,
      dataDir: path.join(root, 'node-1'),
      port: await freePort(),
      env: { ...shared.env, ...clock.env },
    },
  ]
  const servers: ServerProcess[] = []
  for (const location of locations) servers.push(await startServerProcess(location))
  const prometheus = await startPrometheus(
    locations.map(({ port }) => port),
    METRICS_TOKEN,
  )
  const url = (node: number) => `http://127.0.0.1:${locations[node]!.port}`
  const readiness: Nodes['readiness'] = async (node) => {
    const answer = await fetch(`${url(node)}/readyz`).catch(() => null)
    return answer && ((await answer.json()) as Record<string, boolean>)
  }
  return {
    postgres,
    redis,
    sms,
    prometheus,
    locations,
    servers,
    clock,
    hasSmallDisk,
    url,
    readiness,
    tellsDisk: 'disk' in ((await readiness(0)) ?? {}),
    world: await inspect(locations[0]!, readWorld),
    async restart(node) {
      servers[node] = await startServerProcess(locations[node]!)
    },
    areReady: async () => (await readiness(0))?.ok === true && (await readiness(1))?.ok === true,
    async close() {
      await Promise.all(servers.map((server) => server.kill(false)))
      await Promise.all([prometheus.close(), redis.close(), postgres.close(), sms.close()])
      if (hasSmallDisk) spawnSync('umount', [smallDisk])
      await rm(root, { recursive: true, force: true })
    },
  }
}

/**
 * Production, with the demo's people; a node behind a proxy, so that codes can be asked for from many
 * networks.
 */
const productionEnv = (smsUrl: string): Record<string, string> => ({
  NODE_ENV: 'production',
  DEMO: '1',
  METRICS_TOKEN,
  TRUSTED_PROXIES: '127.0.0.1',
  SMS_DAILY_MAX: '1000000',
  DISK_RESERVE_MB: '8',
  FETCH_OUTSIDE: '0',
  ...smsVariables(smsUrl),
})

function mountDisk(directory: string): boolean {
  spawnSync('mkdir', ['-p', directory])
  if (process.getuid?.() !== 0) return false
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', directory]).status === 0
}
