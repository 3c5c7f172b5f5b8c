import { setImmediate as nextRound } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'

describe('work in turns', () => {
  it('is not more at once than allowed, and keys come one after the other', async () => {
    const turns = new Turns(1)
    const begun: string[] = []
    let running = 0
    const work = (name: string) => async () => {
      begun.push(name)
      running += 1
      expect(running).toBe(1)
      await nextRound()
      running -= 1
    }
    const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => turns.run(name[0]!, work(name)))
    await Promise.all(all)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('that fails gives its place to the next', async () => {
    const turns = new Turns(1)
    const failed = turns.run('a', async () => {
      throw new Error('no')
    })
    const next = turns.run('a', async () => 'yes')
    await expect(failed).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
