import { createReport } from '@guildhall/wire/report/report.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { report } from './report.ts'

export const reportRoutes = ({ appContext }: { readonly appContext: Pick<AppContext, 'db'> }): Binding[] => [
  bindUser(createReport, async ({ caller }, input) => {
    await report(appContext, caller.userId, input)
    return {}
  }),
]
