/**
 * When a renewal is announced and charged. Pure. The person is told by the third day before the period ends,
 * and charged on the day before, both between 07:00 and 22:00 of Beijing. WeChat Pay's rules of "预扣费通知" lie
 * behind it: the day of the notice and the next one are a waiting time, and then there are some days for one
 * charge of at most the announced sum. commerce.md §9.
 */
import { dayNumber, dayStart } from '@guildhall/wire/beijing.ts'
import { DAY_MS, HOUR_MS, type Millis } from '@guildhall/wire/unit.ts'

/** The window of a day, in ms after its midnight. */
const OPENS_MS = 7 * HOUR_MS
const CLOSES_MS = 22 * HOUR_MS
/**
 * In days before the one on which the period ends: the first and the last day for the notice, and the day of
 * the charge.
 */
const NOTICE_FROM = 5
const NOTICE_TO = 3
const CHARGE_ON = 1
/** The day of the notice, and the one after it. */
const WAITING_DAYS = 2
/** For how many days after the waiting time one charge may follow. */
export const CHARGE_DAYS = 7
/** What failed is tried again after this. */
export const AGAIN_MS = 2 * HOUR_MS

/** What happened so far for one period. */
export interface Cycle {
  /** When the period ends that is renewed. */
  readonly endsAt: Millis
  /** When the notice went out; null: it did not. */
  readonly announcedAt: Millis | null
  /** The last attempt of what is to be done next; null: there was none. */
  readonly triedAt: Millis | null
  /** It was charged, or given up. */
  readonly isOver: boolean
}

export type Step =
  | { readonly do: 'wait'; readonly until: Millis }
  | { readonly do: 'announce' }
  | { readonly do: 'charge' }
  /** Nothing is taken for this period, and the person is told so. */
  | { readonly do: 'give_up'; readonly why: 'notice' | 'charge' }
  /** It is over. */
  | { readonly do: 'nothing' }

/** What is to be done for a period now. */
export function nextStep(cycle: Cycle, now: Millis): Step {
  if (cycle.isOver) return { do: 'nothing' }
  const end = dayNumber(cycle.endsAt)
  if (cycle.announcedAt === null)
    return withinDays(cycle, now, { from: end - NOTICE_FROM, to: end - NOTICE_TO, act: 'announce' })
  const announced = dayNumber(cycle.announcedAt)
  const first = announced + WAITING_DAYS
  const chargeDay = end - CHARGE_ON
  // The notice came too late for that day, or its days are over before it: no other day was announced.
  if (chargeDay < first || chargeDay >= first + CHARGE_DAYS) return { do: 'give_up', why: 'notice' }
  return withinDays(cycle, now, { from: chargeDay, to: chargeDay, act: 'charge' })
}

/** Something that is done within the windows of some days. */
function withinDays(
  { triedAt }: Cycle,
  now: Millis,
  input: { readonly from: number; readonly to: number; readonly act: 'announce' | 'charge' },
): Step {
  const last = dayStart(input.to) + CLOSES_MS
  if (now >= last) return { do: 'give_up', why: input.act === 'announce' ? 'notice' : 'charge' }
  // An attempt of the future was made while the clock was wrong.
  const again = triedAt !== null && triedAt <= now ? triedAt + AGAIN_MS : 0
  const at = openAt(Math.max(now, again, dayStart(input.from)))
  if (at <= now) return { do: input.act }
  // After the last window there is only the end.
  return { do: 'wait', until: Math.min(at, last) }
}

/** The first moment from `at` on that is within the window of a day. */
function openAt(at: Millis): Millis {
  const midnight = dayStart(dayNumber(at))
  if (at < midnight + OPENS_MS) return midnight + OPENS_MS
  return at < midnight + CLOSES_MS ? at : midnight + DAY_MS + OPENS_MS
}

/** When a period that ends at a moment is charged. */
export const chargeAt = (endsAt: Millis): Millis => dayStart(dayNumber(endsAt) - CHARGE_ON) + OPENS_MS

/** After this nothing is taken for the period any more. */
export const chargeUntil = (endsAt: Millis): Millis => dayStart(dayNumber(endsAt) - CHARGE_ON) + CLOSES_MS
