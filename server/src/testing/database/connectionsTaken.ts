import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool } from '../../kit/database/db.ts'

/**
 * How often `act` takes a connection of the database: once for each statement outside of a transaction, once
 * for a transaction. What the app asks by itself meanwhile is not counted.
 */
export async function connectionsTaken(pool: Pool, act: () => Promise<unknown>): Promise<number> {
  const acting = new AsyncLocalStorage<true>()
  const connect = pool.connect
  let taken = 0
  pool.connect = ((...args: Parameters<Pool['connect']>) => {
    if (acting.getStore()) taken += 1
    return connect.apply(pool, args)
  }) as Pool['connect']
  try {
    await acting.run(true, act)
    return taken
  } finally {
    pool.connect = connect
  }
}
