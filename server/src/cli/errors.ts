/** `errors …`: errors that pages reported. */
import { OperatorError } from '../kit/operatorError.ts'
import { countClientErrors, listClientErrors } from '../site/site.ts'
import { type Commands, count, readSince } from './command.ts'

const LIMIT_MOST = 10_000
const time = (at: number) => new Date(at).toISOString()

export const errorsCommands: Commands = {
  'errors count': {
    usage: '[--since TIME] [--limit N]',
    isReading: true,
    async run({ since = '1d', limit = '20' }, { appContext }) {
      const counted = await countClientErrors(
        appContext.db,
        readSince(since),
        count('limit', limit, LIMIT_MOST),
      )
      return counted.map(({ last_at, ...error }) => ({ ...error, last_at: time(last_at) }))
    },
  },

  'errors list': {
    usage: '[--signature SIGNATURE] [--name NAME] [--since TIME] [--limit N]',
    isReading: true,
    async run({ signature, name, since = '30d', limit = '20' }, { appContext }) {
      if (signature !== undefined && !/^[0-9a-f]{16}$/.test(signature))
        throw new OperatorError('--signature must be one of those that `errors count` shows.')
      const it = { signature, name, since: readSince(since), limit: count('limit', limit, LIMIT_MOST) }
      return (await listClientErrors(appContext.db, it)).map(({ at, stack, ...error }) => ({
        at: time(at),
        ...error,
        stack: stack.split('\n'),
      }))
    },
  },
}
