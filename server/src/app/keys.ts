/** The keys that seal data, and the database that they have to fit. Decision 106. */
import { adoptSecondFactors } from '../auth/auth.ts'
import type { Config } from '../config.ts'
import { type Keys, lockKeys, prepareKeys, settleMark } from '../kit/crypto/keys.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { Log } from '../kit/log.ts'

/**
 * The keys of a starting server. What an earlier version sealed by keys in the database is sealed by these,
 * and those are deleted, by one node in one transaction.
 * @throws OperatorError without keys in production, or with others than those of the database
 */
export async function openKeys(
  { keys: config, production }: Pick<Config, 'keys' | 'production'>,
  db: Db,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<Keys> {
  const keys = await prepareKeys(config, production)
  const { sealed, closed } = await transaction(db, async (tx) => {
    await lockKeys(tx)
    return adoptSecondFactors(tx, await settleMark(tx, keys))
  })
  if (sealed > 0) log.info(`${sealed} second factors are sealed by ${keys.source} from now on`)
  if (closed.length > 0) log.warn(`second factors that no key opens: ${closed.length}`)
  return keys
}
