/**
 * Reporting to staff, from parts of the page that know nothing of it: what asks for the report is loaded when
 * it is opened.
 */
import type { ReportKind } from '@guildhall/wire/report/report.ts'

export interface ReportTarget {
  readonly kind: ReportKind
  /** One; of messages several, which are reported for the same. */
  readonly ids: readonly string[]
  /** What is reported is called so; of a message its author. */
  readonly name: string
}

let open: ((target: ReportTarget) => void) | null = null
/** Asked for before there was something that asks. */
let waiting: ReportTarget | null = null

/** What asks for a report, from then on. */
export function onReport(opener: (target: ReportTarget) => void): void {
  open = opener
  if (waiting) open(waiting)
  waiting = null
}

/** Asks the user what is wrong with something, and reports it. */
export function openReport(target: ReportTarget): void {
  if (open) open(target)
  else waiting = target
}
