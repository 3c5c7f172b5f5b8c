/** `staff …`: who works for the operator. */
import type { UserId } from '@guildhall/wire/id.ts'
import { STAFF_RIGHTS, type StaffRight } from '@guildhall/wire/route.ts'
import { OperatorError } from '../kit/operatorError.ts'
import { changeRight } from '../staff/staff.ts'
import { listStaff } from '../user/user.ts'
import { type Command, type Commands, id, OPERATOR } from './command.ts'

function readRight(value: string): StaffRight {
  const right = STAFF_RIGHTS.find((each) => each === value)
  if (!right) throw new OperatorError(`--right must be one of ${STAFF_RIGHTS.join(', ')}, not "${value}".`)
  return right
}

const changing = (isGranted: boolean): Command => ({
  usage: `--user USER_ID --right ${STAFF_RIGHTS.join('|')}`,
  recordsItself: true,
  async run({ user = '', right = '' }, { live }) {
    const userId = id<UserId>('user', user)
    const rights = await changeRight(live, OPERATOR, { userId, right: readRight(right), isGranted })
    return { id: userId, staff_rights: rights }
  },
})

export const staffCommands: Commands = {
  'staff list': { usage: '', isReading: true, run: (_options, { live }) => listStaff(live.db) },
  'staff grant': changing(true),
  'staff revoke': changing(false),
}
