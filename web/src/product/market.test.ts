import { afterEach, expect, test } from 'vitest'
import { setShell } from '../native/shell.ts'
import { fakeShell } from '../testing/fakeShell.ts'
import { marketHere, periodHere } from './market.ts'

afterEach(() => setShell(null))

test('in a browser what renews itself is asked for, and the market is everybody’s', () => {
  expect([marketHere(), periodHere()]).toEqual([0, 1])
})

test.each([
  ['IOS', '1.42.0', 1, 0],
  ['Desktop', '2.0.0', 0, 0],
  ['Android', '1.41.9', 0, 0],
  ['Android', '0.99', 0, 0],
  ['Android', 'beta', 0, 0],
  ['Android', '1.42.0', 0, 1],
  ['Android', '1.42', 0, 1],
  ['Android', '1.43.0-beta', 0, 1],
  ['Android', '10.0.0', 0, 1],
] as const)(
  'in the %s app %s the market is %i and the period %i',
  (app_plantform, version, market, period) => {
    setShell(fakeShell({ app_plantform, version }).shell)
    expect([marketHere(), periodHere()]).toEqual([market, period])
  },
)
