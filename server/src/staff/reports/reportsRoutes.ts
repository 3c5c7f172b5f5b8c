/** The calls of the console's reports. */
import { searchReported } from '@guildhall/wire/staff/messageSearch.ts'
import * as wire from '@guildhall/wire/staff/reports.ts'
import type { FileAddresses } from '../../asset/asset.ts'
import type { AppContext } from '../../kit/events/events.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { staffActorOf } from '../staffActor.ts'
import { searchIn } from './messageSearch.ts'
import { closeCase, type ReportersQueue, readCase, readCases } from './reports.ts'

export interface ReportsDeps {
  readonly appContext: AppContext
  readonly addresses: FileAddresses
  readonly reporters: ReportersQueue
}

export const reportsRoutes = ({ appContext, addresses, reporters }: ReportsDeps): Binding[] => [
  bindStaff(wire.listReports, (_context, input) => readCases(appContext.db, input)),
  bindStaff(wire.viewReport, (_context, input) => readCase({ db: appContext.db, addresses }, input)),
  bindStaff(searchReported, ({ caller }, input) =>
    searchIn({ db: appContext.db, replica: appContext.replica, addresses }, caller.userId, input),
  ),
  bindStaff(wire.decideReport, async (context, input) => {
    await closeCase(appContext, staffActorOf(context), reporters, input)
    return {}
  }),
]
