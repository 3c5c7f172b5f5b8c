import { expect, test } from 'vitest'
import { afterRenewalStep, RENEWAL_STATES, type RenewalStep } from './state.ts'

const ARROWS = ['signing sign active', 'signing end ended', 'active end ended']
const STEPS: readonly RenewalStep[] = ['sign', 'end']
const cells = RENEWAL_STATES.flatMap((state) => STEPS.map((step) => [state, step] as const))

test.each(cells)('%s, %s', (state, step) => {
  const arrow = ARROWS.find((it) => it.startsWith(`${state} ${step} `))
  expect(afterRenewalStep(state, step)).toBe(arrow ? arrow.split(' ')[2] : null)
})

test('whatever is said in whatever order, what is over stays over', () => {
  for (const first of STEPS)
    for (const second of STEPS) {
      const state = [first, 'end' as const, second].reduce(
        (now, step) => afterRenewalStep(now, step) ?? now,
        'signing' as (typeof RENEWAL_STATES)[number],
      )
      expect(state).toBe('ended')
    }
})
