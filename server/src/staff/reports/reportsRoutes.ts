/** The calls of the console's reports. */
import * as wire from '@guildhall/wire/staff/reports.ts'
import type { FileAddresses } from '../../asset/asset.ts'
import type { Live } from '../../kit/events/events.ts'
import { type Binding, bindStaff } from '../../kit/http/binding.ts'
import { staffActorOf } from '../staffActor.ts'
import { closeCase, type ReportersQueue, readCase, readCases } from './reports.ts'

export interface ReportsDeps {
  readonly live: Live
  readonly addresses: FileAddresses
  readonly reporters: ReportersQueue
}

export const reportsRoutes = ({ live, addresses, reporters }: ReportsDeps): Binding[] => [
  bindStaff(wire.listReports, (_context, input) => readCases(live.db, input)),
  bindStaff(wire.viewReport, (_context, input) => readCase({ db: live.db, addresses }, input)),
  bindStaff(wire.decideReport, async (context, input) => {
    await closeCase(live, staffActorOf(context), reporters, input)
    return {}
  }),
]
