import { createServer } from 'node:http'
import { sql } from 'kysely'
import type { Config } from './config.ts'
import type { Db } from './kit/db.ts'
import type { Log } from './kit/log.ts'

/** What `main.ts` starts and stops. */
export interface App {
  /** Begins to take requests; answers the address. */
  listen(): Promise<string>
  /** Takes no new requests, finishes the ones under way. */
  close(): Promise<void>
  banner(): Promise<string[]>
}

/** Answers whether it is alive (`/healthz`) and whether its database answers (`/readyz`). */
export async function startApp({ config, db }: { config: Config; db: Db; log: Log }): Promise<App> {
  const server = createServer(async (request, reply) => {
    const ready =
      request.url === '/healthz' ||
      (request.url === '/readyz' &&
        (await sql`select 1`.execute(db).then(
          () => true,
          () => false,
        )))
    reply.writeHead(ready ? 200 : request.url === '/readyz' ? 503 : 404, {
      'content-type': 'application/json',
    })
    reply.end(JSON.stringify({ ok: ready }))
  })
  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(config.port, config.host, () => resolve(config.publicUrl))
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
    banner: async () => [],
  }
}
