/** Pages for operators and developers: health, readiness, metrics, the development outbox of SMS codes. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import type { Captcha } from '../../captcha/captcha.ts'
import type { Config } from '../../config.ts'
import { clock } from '../../kit/clock.ts'
import type { Database } from '../../kit/database/db.ts'
import type { EndpointReply, Page } from '../../kit/http/endpoints.ts'
import type { Metrics } from '../../kit/metrics/metrics.ts'
import type { DevMail } from '../../outside/mail/devMail.ts'
import type { DevSms } from '../../outside/sms/devSms.ts'

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

/** Which parts work, and how far this node's clock is before the database's, ms; null while that is away. */
export async function readinessOf(
  input: Readiness,
): Promise<{ readonly parts: Readonly<Record<string, boolean>>; readonly clockOffsetMs: number | null }> {
  const clockOffsetMs = await clockOffset(input.database)
  const parts = {
    database: clockOffsetMs !== null,
    bus: input.isListening(),
    ...(input.isRedisConnected && { redis: input.isRedisConnected() }),
    disk: await input.hasDiskRoom().catch(() => false),
  }
  return { parts, clockOffsetMs }
}

/**
 * `GET /readyz` answers 200 while the node can serve calls, 503 with the unavailable parts otherwise. A disk
 * without room is told and does not make a node unready: only uploads are refused, on every node with that
 * disk.
 */
export const readinessPage = (input: Readiness): Page => ({
  path: '/readyz',
  async run() {
    const { parts } = await readinessOf(input)
    const { disk: _, ...needed } = parts
    const ok = Object.values(needed).every((works) => works) && !input.isDraining()
    return json(ok ? 200 : 503, { ok, ...parts, ...(input.isDraining() && { draining: true }) })
  },
})

/**
 * `GET /metrics`, with METRICS_TOKEN for its holder alone; without it, in development, for this machine while
 * no other one reaches the server.
 */
export const metricsPage = (config: Config, metrics: Metrics): Page => ({
  path: '/metrics',
  mayRead: ({ isLocal, bearer }) =>
    config.metricsToken === null
      ? isLocal && isForThisMachine(config) && !config.production
      : isSame(bearer, config.metricsToken),
  run: async () => ({ status: 200, type: 'metrics', body: await metrics.page() }),
})

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || /^127\./.test(host)

/**
 * The addresses by which this machine's browser reaches a server that has no other: pages by one name show
 * the pictures by the other. Empty for a server under another address.
 */
export function loopbackOrigins(publicUrl: string): readonly string[] {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (!isLoopback(hostname)) return []
  return ['localhost', '127.0.0.1', '[::1]'].map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}

/** True when the server listens on this machine alone, and no public address says that others reach it. */
export const isForThisMachine = ({ host, publicUrl }: Pick<Config, 'host' | 'publicUrl'>): boolean =>
  isLoopback(host) && isLoopback(new URL(publicUrl).hostname)

/** Whether SMS codes are shown instead of sent. */
export const showsCodes = (config: Config): boolean => config.sms.providers.length === 0 && !config.production

/** Whether mail is shown instead of sent. */
export const showsMail = ({ registration: { ways, smtp }, production }: Config): boolean =>
  ways.includes('email') && smtp === null && !production

/**
 * Holders of OUTBOX_TOKEN, and this machine while no other one reaches the server: a proxy may say nothing of
 * whom it speaks for, and then the world would look like this machine.
 */
export function mayReadOutbox(config: Config): NonNullable<Page['mayRead']> {
  const { outboxToken } = config
  const isOpenHere = isForThisMachine(config)
  return ({ isLocal, bearer, queryToken }) =>
    (isLocal && isOpenHere) || (outboxToken !== null && isSame(bearer ?? queryToken, outboxToken))
}

/**
 * `GET /dev/outbox?mobile=NUMBER`: the codes that would have been sent, for this machine or with
 * OUTBOX_TOKEN.
 */
export const outboxPage = (config: Config, devSms: DevSms): Page => ({
  path: '/dev/outbox',
  mayRead: mayReadOutbox(config),
  run: async ({ params }) => json(200, devSms.read(params.mobile)),
})

/** `GET /dev/mailbox?address=ADDRESS`: the mail that would have been sent, by the rules of the outbox. */
export const mailboxPage = (config: Config, devMail: DevMail): Page => ({
  path: '/dev/mailbox',
  mayRead: mayReadOutbox(config),
  run: async ({ params }) => json(200, devMail.read(params.address?.toLowerCase())),
})

/** `GET /dev/captcha?id=ID`: what solves a captcha, and where to tap, for those who may read the outbox. */
export const solutionPage = (config: Config, captcha: Pick<Captcha, 'solutionOf'>): Page => ({
  path: '/dev/captcha',
  mayRead: mayReadOutbox(config),
  async run({ params }) {
    const found = captcha.solutionOf(params.id ?? '')
    if (!found) return json(404, { solution: null })
    const { text: solution, points, counter } = found
    return json(200, { solution, points, counter })
  },
})

/**
 * `GET /dev/authenticator?mobile=NUMBER`: what the authenticator app of a person of the demo world shows now.
 */
export const authenticatorPage = (
  config: Config,
  codeOf: (mobile: string) => Promise<string | null>,
): Page => ({
  path: '/dev/authenticator',
  mayRead: mayReadOutbox(config),
  async run({ params }) {
    const code = await codeOf(params.mobile ?? '')
    return json(code === null ? 404 : 200, { code })
  },
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

/** Null when the database does not answer soon. */
async function clockOffset({ db }: Database): Promise<number | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, READY_WITHIN_MS, null).unref())
  const asked = sql<{ now: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const answer = asked.execute(db).then(
    ({ rows }) => clock.now() - rows[0]!.now,
    () => null,
  )
  return Promise.race([answer, late])
}
