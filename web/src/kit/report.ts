/** Reporting to staff, from parts of the page that know nothing of it: what asks for the report is loaded when it is opened. */
import type { ReportKind } from '@guildhall/wire/report/report.ts'

export interface ReportTarget {
  readonly kind: ReportKind
  readonly id: string
  /** What is reported is called so; of a message its author. */
  readonly name: string
}

let open: (target: ReportTarget) => void = () => undefined

/** What asks for a report, from then on. */
export function onReport(opener: typeof open): void {
  open = opener
}

/** Asks the user what is wrong with something, and reports it. */
export const openReport = (target: ReportTarget): void => open(target)
