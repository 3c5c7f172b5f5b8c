import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool } from '../../kit/database/db.ts'
import type { AppContext } from '../../kit/events/events.ts'
import type { TestWorld } from '../world.ts'

/**
 * How often a rule takes a connection of the database: once for each statement outside of a transaction, once
 * for a transaction. What the app asks by itself meanwhile is not counted. A rule and not its HTTP call: a
 * session is cached for a second, so whether a call looks it up depends on how fast the machine is.
 */
export async function connectionsTaken(
  { app, database: { pool } }: Pick<TestWorld, 'app' | 'database'>,
  rule: (appContext: AppContext) => Promise<unknown>,
): Promise<number> {
  const acting = new AsyncLocalStorage<true>()
  const connect = pool.connect
  let taken = 0
  pool.connect = ((...args: Parameters<Pool['connect']>) => {
    if (acting.getStore()) taken += 1
    return connect.apply(pool, args)
  }) as Pool['connect']
  try {
    await acting.run(true, () => rule(app.appContext))
    return taken
  } finally {
    pool.connect = connect
  }
}
