/** Whether the keys here open what the database has. */
import { closedSecondFactors, hasKeyBeside } from '../../auth/auth.ts'
import type { Config } from '../../config.ts'
import { keysOf, markedKeys } from '../../kit/crypto/keys.ts'
import type { Db } from '../../kit/database/db.ts'
import { OperatorError } from '../../kit/operatorError.ts'
import { bad, type Finding, ok } from './finding.ts'

export async function checkSealed(db: Db, config: Pick<Config, 'keys'>): Promise<Finding[]> {
  if (await hasKeyBeside(db))
    return [
      bad(
        'sealed data',
        'The key of second factors lies in the database beside them.',
        'Start the server of this version: it seals them by the keys outside.',
      ),
    ]
  try {
    const closed = await closedSecondFactors(db, await markedKeys(db, keysOf(config.keys)))
    if (closed.length === 0) return [ok('sealed data', 'the keys open all of it')]
    return [
      bad(
        'sealed data',
        `The keys do not open the second factors of ${closed.length} people, among them ${closed[0]}.`,
        'Put back the key that does, or end them: cli keys forget.',
      ),
    ]
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [bad('sealed data', error.message, 'See “Keys” in docs/operations.md.')]
  }
}
