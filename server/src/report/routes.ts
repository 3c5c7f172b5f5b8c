/** The call by which members report something. */
import { fail } from '@guildhall/wire/failure.ts'
import { createReport } from '@guildhall/wire/report/report.ts'
import type { Live } from '../kit/events/events.ts'
import { type Binding, bindUser } from '../kit/http/binding.ts'
import { report } from './report.ts'

export const reportRoutes = ({ live }: { readonly live: Pick<Live, 'db'> }): Binding[] => [
  bindUser(createReport, async ({ caller }, input) => {
    if (caller.isBot) throw fail('forbidden')
    await report(live, caller.userId, input)
    return {}
  }),
]
