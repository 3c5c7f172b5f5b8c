import { describe, expect, test } from 'vitest'
import { afterStep, isFinal, isPayable, ORDER_STATES, ORDER_STEPS } from './state.ts'

/** Every arrow there is; what is not named here is refused. */
const ARROWS = [
  'placed begin paying',
  'placed receive paid',
  'placed close closed',
  'paying begin paying',
  'paying receive paid',
  'paying close closed',
  'paid grant granted',
  'paid refund refunding',
  'paid stick stuck',
  'granted refund refunding',
  'closed receive refunding',
  'refunding refunded refunded',
  'refunding stick stuck',
  'stuck resume paid',
  'stuck refund refunding',
  'stuck refunded refunded',
]

describe('the state of an order', () => {
  const cells = ORDER_STATES.flatMap((state) => ORDER_STEPS.map((step) => [state, step] as const))

  test.each(cells)('%s, %s', (state, step) => {
    const arrow = ARROWS.find((it) => it.startsWith(`${state} ${step} `))
    expect(afterStep(state, step)).toBe(arrow ? arrow.split(' ')[2] : null)
  })

  test('every state can be reached from placed', () => {
    const reached = new Set(['placed'])
    for (let size = 0; size < reached.size; ) {
      size = reached.size
      for (const arrow of ARROWS) {
        const [from, , to] = arrow.split(' ')
        if (reached.has(from!)) reached.add(to!)
      }
    }
    expect([...reached].toSorted()).toEqual([...ORDER_STATES].toSorted())
  })

  test('money is taken only before an end', () => {
    expect(ORDER_STATES.filter(isPayable)).toEqual(['placed', 'paying'])
    expect(ORDER_STATES.filter((it) => isPayable(it) && isFinal(it))).toEqual([])
  })

  test('money that has arrived never ends in a closed order', () => {
    for (const state of ORDER_STATES)
      for (const step of ORDER_STEPS) if (!isPayable(state)) expect(afterStep(state, step)).not.toBe('closed')
  })
})
