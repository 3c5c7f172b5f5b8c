import { afterEach, describe, expect, it } from 'vitest'
import { clock, replaceClock } from './clock.ts'
import { ids, replaceRandom } from './ids.ts'

const restore: (() => void)[] = []
afterEach(() => {
  for (const undo of restore.splice(0)) undo()
})

describe('uuid', () => {
  it('is a version 7 UUID that carries its time', () => {
    const at = Date.UTC(2100, 0, 1)
    restore.push(replaceClock(() => at))
    const id = ids.uuid()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at)
  })

  it('ten thousand made in one millisecond are different and in order', () => {
    restore.push(replaceClock(() => Date.UTC(2101, 0, 1)))
    const made = Array.from({ length: 10_000 }, () => ids.uuid())
    expect(made.toSorted()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it('still grows when the clock is set back', () => {
    restore.push(replaceClock(() => Date.UTC(2102, 0, 1)))
    const first = ids.uuid()
    restore.push(replaceClock(() => Date.UTC(2050, 0, 1)))
    expect(ids.uuid() > first).toBe(true)
  })
})

describe('codes and tokens', () => {
  it('an invite code has no letter that is confused with another', () => {
    const letters = new Set(Array.from({ length: 2000 }, () => ids.inviteCode()).join(''))
    expect(letters.size).toBe(57)
    for (const unclear of '01OIl') expect(letters.has(unclear)).toBe(false)
  })

  it('a token has 43 letters and digits and is not repeated', () => {
    const made = Array.from({ length: 1000 }, () => ids.token())
    for (const token of made) expect(token).toMatch(/^[A-Za-z0-9]{43}$/)
    expect(new Set(made).size).toBe(made.length)
  })

  it('bytes that would make some digits likelier are discarded', () => {
    const bytes = [
      [255, 254, 253, 252],
      [251, 250, 249, 7],
    ]
    restore.push(replaceRandom(() => Uint8Array.from(bytes.shift() ?? [1, 2, 3, 4])))
    expect(ids.digits(4)).toBe('9712')
  })
})

it('a replaced clock does not move until it is restored', () => {
  const giveBack = replaceClock(() => 5)
  expect(clock.now()).toBe(5)
  giveBack()
  expect(clock.now()).toBeGreaterThan(5)
})
