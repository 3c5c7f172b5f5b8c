/** The states of a contract and the steps between them. Pure: `renewal.ts` stores what it says. */

export const RENEWAL_STATES = [
  /** The person was offered it. */
  'signing',
  /** The provider says that it was signed. */
  'active',
  /** Nobody signed it, or it is over. Final: a message that comes late does not bring it back. */
  'ended',
] as const
export type RenewalState = (typeof RENEWAL_STATES)[number]
export type RenewalStep = 'sign' | 'end'

const arrows: Readonly<Record<RenewalState, Partial<Readonly<Record<RenewalStep, RenewalState>>>>> = {
  signing: { sign: 'active', end: 'ended' },
  active: { end: 'ended' },
  ended: {},
}

/** The state after a step; null: the step changes nothing. */
export const afterRenewalStep = (state: RenewalState, step: RenewalStep): RenewalState | null =>
  arrows[state][step] ?? null
