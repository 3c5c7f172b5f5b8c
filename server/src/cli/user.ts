/** `user …`: accounts. */
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { isPassword, PASSWORD_LENGTH } from '@guildhall/wire/auth/password.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { SUSPENDED_MOST_MS } from '@guildhall/wire/staff/staff.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { isName } from '@guildhall/wire/user/name.ts'
import { deleteMessagesOf } from '../account/account.ts'
import { setPassword } from '../auth/auth.ts'
import { clock } from '../kit/clock.ts'
import { type AppContext, commit } from '../kit/events/events.ts'
import { OperatorError } from '../kit/operatorError.ts'
import {
  deleteUser,
  endSecondFactorOf,
  findPeople,
  restoreUser,
  setUserPassword,
  signOutUser,
  suspendUser,
  viewPerson,
} from '../staff/staff.ts'
import { register } from '../user/user.ts'
import { type CommandContext, type Commands, count, id, OPERATOR, type Options } from './command.ts'
import { contactFields, contactIn, shownContact } from './contact.ts'

/** An account that logs in by its name. */
const NOTHING: Mobile = { prefix: '', mobile: '' }

const SUSPENDED_MOST_DAYS = SUSPENDED_MOST_MS / DAY_MS

function readPassword(password: string): string {
  if (isPassword(password)) return password
  const { least, most } = PASSWORD_LENGTH
  throw new OperatorError(`--password must have ${least} to ${most} characters, with letters and numbers.`)
}

/** A command on one person by a rule of staff; answers with how the person is afterwards. */
const onUser =
  (act: (appContext: AppContext, userId: UserId, options: Options) => Promise<void>) =>
  async (options: Options, { appContext }: CommandContext): Promise<unknown> => {
    const userId = id<UserId>('user', options.user ?? '')
    await act(appContext, userId, options)
    return viewPerson(appContext, userId)
  }

export const userCommands: Commands = {
  'user create': {
    usage: '--username NAME [--mobile NUMBER] [--prefix 86] [--address ADDRESS] [--password PASSWORD]',
    async run({ username = '', password, ...options }, { appContext }) {
      const number = contactIn(options) ?? NOTHING
      if (number === NOTHING && password === undefined)
        throw new OperatorError('Without --mobile or --address a name logs in, which needs --password.')
      if (!isName(username))
        throw new OperatorError('--username must be 1 to 30 characters without white space.')
      const given = password === undefined ? null : readPassword(password)
      const user = await commit(appContext, async (tx) => {
        const made = await register(tx, { ...number, verified: true, makeName: () => username })
        if (!made.isNew) throw new OperatorError(`${shownContact(number)} has an account already.`)
        if (given !== null) await setPassword(tx, made.user.id, given)
        return made.user
      })
      return {
        id: user.id,
        username,
        identify_num: user.identify_num,
        ...contactFields(number),
        password: given,
      }
    },
  },

  'user find': {
    usage: '[--user USER_ID] [--mobile NUMBER] [--prefix 86] [--address ADDRESS] [--name NAME#1234]',
    isReading: true,
    async run({ user, name, ...options }, { appContext }) {
      const number = contactIn(options)
      if (user === undefined && number === undefined && name === undefined)
        throw new OperatorError('user find needs --user, --mobile, --address or --name.')
      const { items } = await findPeople(appContext, {
        userId: user === undefined ? undefined : id<UserId>('user', user),
        mobile: number,
        name,
      })
      return Promise.all(items.map((it) => viewPerson(appContext, it.id)))
    },
  },

  'user suspend': {
    usage: '--user USER_ID [--days N] [--reason TEXT]',
    recordsItself: true,
    run: onUser((appContext, userId, { days, reason = '' }) => {
      const until =
        days === undefined ? null : clock.now() + count('days', days, SUSPENDED_MOST_DAYS) * DAY_MS
      return suspendUser(appContext, OPERATOR, userId, { until, reason })
    }),
  },

  'user restore': {
    usage: '--user USER_ID [--reason TEXT]',
    recordsItself: true,
    run: onUser((appContext, userId, { reason }) => restoreUser(appContext, OPERATOR, userId, reason)),
  },

  'user signout': {
    usage: '--user USER_ID [--reason TEXT]',
    recordsItself: true,
    run: onUser((appContext, userId, { reason }) => signOutUser(appContext, OPERATOR, userId, reason)),
  },

  'user password': {
    usage: '--user USER_ID [--password PASSWORD]',
    recordsItself: true,
    run(options, context) {
      const password = options.password === undefined ? null : readPassword(options.password)
      return onUser((appContext, userId) => setUserPassword(appContext, OPERATOR, userId, { password }))(
        options,
        context,
      )
    },
  },

  'user second-factor-off': {
    usage: '--user USER_ID',
    recordsItself: true,
    run: onUser((appContext, userId) => endSecondFactorOf(appContext, OPERATOR, userId)),
  },

  'user delete': {
    usage: '--user USER_ID [--words]',
    async destroys({ user = '', words: text }, { appContext }) {
      const [found] = (await findPeople(appContext, { userId: id<UserId>('user', user) })).items
      if (!found) throw new OperatorError(`There is no user ${user}.`)
      const what = text === undefined ? 'Their messages stay.' : 'Their messages and files are deleted too.'
      return `The account ${user} (${found.username}#${found.identify_num}) is deleted for good. ${what}`
    },
    recordsItself: true,
    async run({ user = '', words: text }, { appContext }) {
      const userId = id<UserId>('user', user)
      const [found] = (await findPeople(appContext, { userId })).items
      // A second run deletes the words that a killed one left.
      if (found?.state !== 'deleted') await deleteUser(appContext, OPERATOR, userId)
      const messages = text === undefined ? 0 : await deleteMessagesOf(appContext, userId)
      return { id: userId, deleted: true, messages_deleted: messages }
    },
  },
}
