/** Pages for operators and developers: health, readiness, metrics, the development outbox of SMS codes. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../kit/db.ts'
import type { EndpointReply, Page } from '../kit/http/endpoints.ts'
import type { Metrics } from '../kit/metrics.ts'
import type { DevSms } from '../outside/devSms.ts'

const READY_WITHIN_MS = 2 * SECOND_MS

/** What readiness asks. */
export interface Readiness {
  readonly database: Database
  readonly isListening: () => boolean
  /** Whether the disk of the uploads has room. */
  readonly hasDiskRoom: () => Promise<boolean>
  /** Absent: this node uses no Redis. */
  readonly isRedisConnected?: (() => boolean) | undefined
  readonly isDraining: () => boolean
}

/** `GET /healthz` answers while the process runs. */
export const healthPage: Page = { path: '/healthz', run: async () => json(200, { ok: true }) }

/**
 * `GET /readyz` answers 200 while the node can serve calls, 503 with the unavailable parts otherwise. A disk without room is
 * told and does not make a node unready: only uploads are refused, on every node with that disk.
 */
export const readinessPage = (it: Readiness): Page => ({
  path: '/readyz',
  async run() {
    const parts = {
      database: await answers(it.database),
      bus: it.isListening(),
      ...(it.isRedisConnected && { redis: it.isRedisConnected() }),
      disk: await it.hasDiskRoom().catch(() => false),
      ...(it.isDraining() && { draining: true }),
    }
    const ok = parts.database && parts.bus && parts.redis !== false && !it.isDraining()
    return json(ok ? 200 : 503, { ok, ...parts })
  },
})

/** `GET /metrics`, with METRICS_TOKEN for its holder alone; without it from this machine, in development. */
export const metricsPage = (config: Config, metrics: Metrics): Page => ({
  path: '/metrics',
  mayRead: ({ isLocal, bearer }) =>
    config.metricsToken === null ? isLocal && !config.production : isSame(bearer, config.metricsToken),
  run: async () => ({ status: 200, type: 'metrics', body: await metrics.page() }),
})

/** Whether SMS codes are shown instead of sent. */
export const showsCodes = (config: Config): boolean => config.sms.providers.length === 0 && !config.production

/** `GET /dev/outbox?mobile=NUMBER`: the codes that would have been sent, for this machine or with OUTBOX_TOKEN. */
export const outboxPage = ({ outboxToken }: Config, devSms: DevSms): Page => ({
  path: '/dev/outbox',
  mayRead: ({ isLocal, bearer, queryToken }) =>
    isLocal || (outboxToken !== null && isSame(bearer ?? queryToken, outboxToken)),
  run: async ({ params }) => json(200, devSms.read(params.mobile)),
})

const json = (status: number, body: unknown): EndpointReply => ({
  status,
  type: 'json',
  body: JSON.stringify(body),
})

/** Compares in constant time. */
function isSame(given: string | null, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== null && timingSafeEqual(digest(given), digest(wanted))
}

async function answers({ db }: Database): Promise<boolean> {
  const timeout = new Promise<boolean>((resolve) => setTimeout(resolve, READY_WITHIN_MS, false).unref())
  const query = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([query, timeout])
}
