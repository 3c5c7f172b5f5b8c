/** `staff …`: who works for the operator. */
import type { Mobile } from '@guildhall/wire/auth/mobile.ts'
import { isPassword } from '@guildhall/wire/auth/password.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { STAFF_RIGHTS, type StaffRight } from '@guildhall/wire/staff/rights.ts'
import { isStaffRole, STAFF_ROLE_NAMES, type StaffRole } from '@guildhall/wire/staff/roles.ts'
import { holderNotifier } from '../account/account.ts'
import { hasPassword, hasSecondFactor, setPassword } from '../auth/auth.ts'
import type { Tx } from '../kit/database/db.ts'
import { commit } from '../kit/events/events.ts'
import { ids } from '../kit/ids.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { changeRight, changeRole, decideApproval, waitingApprovals } from '../staff/staff.ts'
import { listStaff, register, type UserRow } from '../user/user.ts'
import { type Command, type CommandContext, type Commands, id, OPERATOR } from './command.ts'
import { contactFields, contactIn } from './contact.ts'
import { withJobs } from './jobs.ts'

const PASSWORD_CHARACTERS = 16

function readRight(value: string): StaffRight {
  const right = STAFF_RIGHTS.find((each) => each === value)
  if (!right) throw new OperatorError(`--right must be one of ${STAFF_RIGHTS.join(', ')}, not "${value}".`)
  return right
}

const changing = (isGranted: boolean): Command => ({
  usage: `--user USER_ID --right ${STAFF_RIGHTS.join('|')}`,
  recordsItself: true,
  async run({ user = '', right = '' }, { appContext }) {
    const userId = id<UserId>('user', user)
    const rights = await changeRight(appContext, OPERATOR, { userId, right: readRight(right), isGranted })
    return { id: userId, rights }
  },
})

function readRole(value: string): StaffRole {
  if (isStaffRole(value)) return value
  throw new OperatorError(`--role must be one of ${STAFF_ROLE_NAMES.join(', ')}, not "${value}".`)
}

/** A password that the person changes: it is printed once. */
function newPassword(): string {
  for (;;) {
    const password = ids.token().slice(0, PASSWORD_CHARACTERS)
    if (isPassword(password)) return password
  }
}

/** The account of a number, made when there is none; `password`: a new one, when it had none. */
async function accountOf(tx: Tx, number: Mobile): Promise<{ user: UserRow; password: string | null }> {
  const makeName = () => `staff${ids.digits(4)}`
  const { user } = await register(tx, { ...number, verified: true, makeName })
  if (await hasPassword(tx, user.id)) return { user, password: null }
  const password = newPassword()
  await setPassword(tx, user.id, password)
  return { user, password }
}

/** Decides an act of staff that waits. */
const decide = (
  { appContext, database }: CommandContext,
  approval: string,
  decision: { readonly isApproved: boolean; readonly reason: string },
) =>
  withJobs(database, (jobs) =>
    decideApproval({ appContext, notify: holderNotifier({ appContext, jobs }) }, OPERATOR, {
      ...decision,
      id: Number(id('id', approval)),
    }),
  )

export const staffCommands: Commands = {
  'staff create': {
    usage: `--role ${STAFF_ROLE_NAMES.join('|')} [--mobile NUMBER] [--prefix 86] [--address ADDRESS]`,
    recordsItself: true,
    async run({ role = '', ...options }, { appContext, config }) {
      const wanted = readRole(role)
      const number = contactIn(options)
      if (!number) throw new OperatorError('staff create needs --mobile or --address.')
      const { user, password } = await commit(appContext, (tx) => accountOf(tx, number))
      const rights = await changeRole(appContext, OPERATOR, { userId: user.id, role: wanted })
      const isReady = await hasSecondFactor(appContext.db, user.id)
      const base = config.publicUrl
      return {
        id: user.id,
        username: user.username,
        identify_num: user.identify_num,
        ...contactFields(number),
        role: wanted,
        rights,
        password,
        console: `${base}/staff`,
        second_factor: isReady
          ? 'It is on: log in to the console with number or address, password and a code of the authenticator app.'
          : `It is off, and the console needs it: log in at ${base}/login with this number or address, open ${base}/account/second-factor, scan the code with an authenticator app, and keep the recovery codes.`,
      }
    },
  },
  'staff role': {
    usage: `--user USER_ID --role ${STAFF_ROLE_NAMES.join('|')}|none`,
    recordsItself: true,
    async run({ user = '', role = '' }, { appContext }) {
      const userId = id<UserId>('user', user)
      const rights = await changeRole(appContext, OPERATOR, {
        userId,
        role: role === 'none' ? '' : readRole(role),
      })
      return { id: userId, role, rights }
    },
  },
  'staff list': { usage: '', isReading: true, run: (_options, { appContext }) => listStaff(appContext.db) },
  'staff approvals': {
    usage: '',
    isReading: true,
    run: (_options, { appContext }) => waitingApprovals(appContext.db),
  },
  'staff approve': {
    usage: '--id APPROVAL_ID [--reason TEXT]',
    recordsItself: true,
    async run({ id: approval = '', reason = '' }, context) {
      const { batchId, codes } = await decide(context, approval, { isApproved: true, reason })
      return { id: approval, approved: true, ...(batchId !== '' && { batch_id: batchId, codes }) }
    },
  },
  'staff reject': {
    usage: '--id APPROVAL_ID --reason TEXT',
    recordsItself: true,
    async run({ id: approval = '', reason = '' }, context) {
      await decide(context, approval, { isApproved: false, reason })
      return { id: approval, approved: false }
    },
  },
  'staff grant': changing(true),
  'staff revoke': changing(false),
}
