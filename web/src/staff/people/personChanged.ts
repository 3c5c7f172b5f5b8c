import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { findPeople, staffViewPerson } from '@guildhall/wire/staff/people.ts'
import { invalidateRoute } from '../../kit/routeQuery.ts'

/** Something was done to a person: what shows them is requested again. */
export function personChanged(): void {
  for (const route of [staffViewPerson, findPeople, listStaffLog]) invalidateRoute(route)
}
