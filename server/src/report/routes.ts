import { createReport } from '@guildhall/wire/report/report.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { report } from './report.ts'

export const reportRoutes = ({ live }: { readonly live: Pick<Live, 'db'> }): Binding[] => [
  bindUser(createReport, async ({ caller }, input) => {
    await report(live, caller.userId, input)
    return {}
  }),
]
