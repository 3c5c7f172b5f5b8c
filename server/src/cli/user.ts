/** `user …`: accounts. */
import { isName } from '@guildhall/wire/user/user.ts'
import { readNumber, setPassword } from '../auth/auth.ts'
import { commit } from '../kit/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { register } from '../user/user.ts'
import type { Commands } from './command.ts'

const PASSWORD_LENGTH = { least: 6, most: 128 }

function readPassword(password: string): string {
  const { least, most } = PASSWORD_LENGTH
  if (password.length >= least && password.length <= most) return password
  throw new OperatorError(`--password must have ${least} to ${most} characters.`)
}

export const userCommands: Commands = {
  'user create': {
    usage: '--mobile NUMBER --username NAME [--prefix 86] [--password PASSWORD]',
    async run({ mobile = '', username = '', prefix = '86', password }, { live }) {
      const number = readNumber({ prefix, mobile })
      if (!isName(username))
        throw new OperatorError('--username must be 1 to 30 characters without white space.')
      const given = password === undefined ? null : readPassword(password)
      const user = await commit(live, async (tx) => {
        const made = await register(tx, { ...number, verified: true, makeName: () => username })
        if (!made.isNew)
          throw new OperatorError(`The number +${number.prefix} ${number.mobile} has an account already.`)
        if (given !== null) await setPassword(tx, made.user.id, given)
        return made.user
      })
      return {
        ...{ id: user.id, username, identify_num: user.identify_num },
        ...{ prefix: number.prefix, mobile: number.mobile, password: given },
      }
    },
  },
}
