/** The replica of the database. */
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../kit/database/db.ts'
import { openReplica } from '../../kit/database/replica.ts'
import { type Finding, ok, warn } from './finding.ts'

/** Reads once as a server does, which writes down once that this primary was started. */
export async function checkReplica(db: Db, { databaseReadUrl: url }: Config): Promise<Finding[]> {
  if (url === null) return [ok('replica', 'there is none: everything is read from the primary')]
  let [waitedMs, why] = [0, 'it is busy']
  const replica = openReplica({
    url,
    primary: db,
    metrics: {
      read: () => undefined,
      waited: (seconds) => {
        waitedMs = Math.round(seconds * SECOND_MS)
      },
    },
    log: {
      warn: ({ err }) => {
        why = err.message || String(err.code)
      },
      info: () => undefined,
    },
  })
  try {
    const isRead = await replica.run(async (of) => of !== db)
    if (isRead) return [ok('replica', `it had what was committed after ${waitedMs} ms`)]
    return [
      warn(
        'replica',
        `History and searches are read from the primary: ${why}.`,
        'See whether the replica of DATABASE_READ_URL runs, whether this machine reaches it, and whether it follows the primary.',
      ),
    ]
  } finally {
    await replica.close()
  }
}
