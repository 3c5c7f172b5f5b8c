/** The call of staff for the numbers of this site. */
import { viewNumbers } from '@guildhall/wire/staff/numbers.ts'
import type { Db } from '../../kit/database/db.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { readNumbers } from './numbers.ts'

export const numberRoutes = (db: Db): Binding[] => [
  bindStaff(viewNumbers, (_context, { days }) => readNumbers(db, days)),
]
