/** What waits for staff, as the frame and the start page of the console count it. */
import { WAITING_COUNT_MAX, type Waiting } from '@guildhall/wire/staff/waiting.ts'
import type { Section } from './sections.ts'

/** Whether anything ever waits in a section. */
export const isCounted = (name: Section['name']): name is keyof Waiting =>
  name === 'reviews' || name === 'reports' || name === 'approvals' || name === 'orders'

/** How much waits in a section; 0 where nothing is counted. */
export const countOf = (name: Section['name'], waiting: Waiting | null): number =>
  (isCounted(name) && waiting?.[name]) || 0

/** A count as it is shown: counts end at the most that is counted. */
export const countLabel = (count: number): string =>
  count < WAITING_COUNT_MAX ? String(count) : `${WAITING_COUNT_MAX - 1}+`
