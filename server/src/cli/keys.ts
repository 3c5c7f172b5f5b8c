/** `keys …`: the keys that seal data. Decision 106, docs/operations.md "Keys". */
import { closedSecondFactors, dropSecondFactor, resealSecondFactors } from '../auth/auth.ts'
import type { Config } from '../config.ts'
import {
  addKey,
  createKeys,
  dropFormerKeys,
  keysOf,
  lockKeys,
  markedKeys,
  markNewest,
} from '../kit/crypto/keys.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import { OperatorError } from '../kit/operatorError.ts'
import type { Commands } from './command.ts'

/** `keys create`, before there is a database. @throws OperatorError where there are keys */
export async function createKeyFile({ keys: { secret, file } }: Pick<Config, 'keys'>): Promise<unknown> {
  if (secret) throw new OperatorError('KEYS_SECRET is set, which is the key: no file is read.')
  if (await createKeys(file)) return { created: file }
  throw new OperatorError(
    `${file} is there already, and stays: what it sealed could not be opened any more. A new key: cli keys rotate.`,
  )
}

/** Whoever still reads by a former key goes before. @throws OperatorError when something is sealed by it */
const dropFormer = (db: Db, file: string): Promise<void> =>
  transaction(db, async (tx) => {
    await lockKeys(tx)
    const [newest] = await keysOf({ secret: null, former: null, file }).all()
    if ((await closedSecondFactors(tx, [newest!])).length > 0)
      throw new OperatorError('Another rotation is under way: repeat this command when it is over.')
    await dropFormerKeys(file)
  })

export const keyCommands: Commands = {
  'keys rotate': {
    usage: '',
    async run(_options, { appContext: { db }, config }) {
      const { secret, former, file } = config.keys
      const keys = keysOf(config.keys)
      if (secret && !former)
        throw new OperatorError(
          'Set KEYS_SECRET to a new key (openssl rand -base64 32) and KEYS_SECRET_OLD to the present one, restart every node, then this command.',
        )
      // Whoever seals by the former key has committed before the newest is marked, and is seen below.
      const all = await transaction(db, async (tx) => {
        await lockKeys(tx)
        await markedKeys(tx, keys)
        if (!secret) await addKey(file)
        return markNewest(tx, keys)
      })
      const { sealed, closed } = await resealSecondFactors(db, all)
      if (closed.length > 0)
        throw new OperatorError(
          `${sealed} were sealed again. ${closed.length} second factors no key opens, so the former key stays: put back the key that does, or end them by cli keys forget, then this command.`,
        )
      if (!secret) await dropFormer(db, file)
      return {
        keys: keys.source,
        sealed_again: sealed,
        former_key: secret
          ? 'KEYS_SECRET_OLD is needed no more, but for backups that were taken before'
          : 'is not in the file any more, and needed for backups that were taken before',
      }
    },
  },

  'keys forget': {
    usage: '',
    async destroys(_options, { appContext: { db }, config }) {
      const closed = await closedSecondFactors(db, await keysOf(config.keys).all())
      return `The keys here are those of the database from now on; ${closed.length} second factors that they do not open are turned off.`
    },
    async run(_options, { appContext: { db }, config }) {
      return transaction(db, async (tx) => {
        await lockKeys(tx)
        const closed = await closedSecondFactors(tx, await markNewest(tx, keysOf(config.keys)))
        for (const userId of closed) await dropSecondFactor(tx, userId)
        return { turned_off: closed }
      })
    },
  },
}
