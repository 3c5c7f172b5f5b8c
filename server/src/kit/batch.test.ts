import { describe, expect, it } from 'vitest'
import { openBatcher } from './batch.ts'

/** A batcher whose batches run until `release`. */
function open(options: { most?: number; lanes?: number; mostBytes?: number; mostWaiting?: number } = {}) {
  const batches: string[][] = []
  const running: (() => void)[] = []
  const batcher = openBatcher<string, string>({
    async run(items) {
      batches.push([...items])
      await new Promise<void>((resolve) => running.push(resolve))
      const bad = items.find((item) => item.includes('bad'))
      if (bad) throw new Error(`refused ${bad}`)
      if (items.some((item) => item.includes('away')))
        throw Object.assign(new Error('nobody there'), { code: 'ECONNREFUSED' })
      return items.map((item) => `${item}!`)
    },
    keyOf: (item) => item.slice(0, 1),
    bytesOf: (item) => item.length,
    most: options.most ?? 100,
    lanes: options.lanes ?? 1,
    ...(options.mostBytes && { mostBytes: options.mostBytes }),
    ...(options.mostWaiting && { mostWaiting: options.mostWaiting }),
  })
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  const release = async () => {
    for (const finish of running.splice(0)) finish()
    await turn()
  }
  return {
    submit: (item: string) => batcher.submit(item),
    waiting: () => batcher.waiting(),
    batches,
    turn,
    release,
  }
}

const outcome = (promise: Promise<string>) => promise.catch((error: Error) => error.message)

it('an item is rejected at once when too many wait, and accepted again afterwards', async () => {
  const { submit, turn, release, waiting } = open({ most: 1, mostWaiting: 2 })
  const first = submit('a1')
  await turn()
  const waiters = [submit('a2'), submit('a3')]
  expect(waiting()).toBe(2)
  await expect(submit('a4')).rejects.toMatchObject({ failure: 'unavailable' })
  await release()
  expect(await first).toBe('a1!')
  waiters.push(submit('a5'))
  for (let round = 0; round < 4; round++) await release()
  expect(await Promise.all(waiters)).toEqual(['a2!', 'a3!', 'a5!'])
})

describe('an item that the database rejects', () => {
  it('fails alone, and the others of its batch succeed', async () => {
    const { submit, batches, turn, release } = open()
    const answers = ['a1', 'a-bad', 'b1'].map((item) => outcome(submit(item)))
    await turn()
    for (let round = 0; round < 4; round++) await release()
    expect(await Promise.all(answers)).toEqual(['a1!', 'refused a-bad', 'b1!'])
    expect(batches).toEqual([['a1', 'a-bad', 'b1'], ['a1'], ['a-bad'], ['b1']])
  })

  it('is not retried when the database is unavailable', async () => {
    const { submit, batches, turn, release } = open()
    const answers = ['a1', 'a-away'].map((item) => outcome(submit(item)))
    await turn()
    await release()
    expect(await Promise.all(answers)).toEqual(['nobody there', 'nobody there'])
    expect(batches).toHaveLength(1)
  })
})

it('a single item runs at once, and items of the meantime run together when it returns', async () => {
  const { submit, batches, turn, release, waiting } = open()
  const answers = [submit('a1')]
  await turn()
  expect(batches).toEqual([['a1']])
  answers.push(submit('b1'), submit('a2'))
  await turn()
  answers.push(submit('a3'))
  await turn()
  expect([batches.length, waiting()]).toEqual([1, 3])
  await release()
  expect(batches).toEqual([['a1'], ['b1', 'a2', 'a3']])
  await release()
  expect(await Promise.all(answers)).toEqual(['a1!', 'b1!', 'a2!', 'a3!'])
})

it('items of one key are never in two batches at the same time; others use a free lane', async () => {
  const { submit, batches, turn, release } = open({ lanes: 2 })
  const answers = [submit('a1')]
  await turn()
  answers.push(submit('a2'), submit('b1'))
  await turn()
  expect(batches).toEqual([['a1'], ['b1']])
  await release()
  await release()
  expect(batches).toEqual([['a1'], ['b1'], ['a2']])
  expect(await Promise.all(answers)).toEqual(['a1!', 'a2!', 'b1!'])
})

it.each([
  [{ most: 2 }, [['a1', 'a2'], ['a3']]],
  [{ mostBytes: 5 }, [['a1', 'a2'], ['a3']]],
  [{ mostBytes: 1 }, [['a1'], ['a2'], ['a3']]],
])('a batch is bounded by %j, and one too large for it goes by itself', async (options, expected) => {
  const { submit, batches, turn, release } = open(options)
  const answers = ['a1', 'a2', 'a3'].map((item) => submit(item))
  await turn()
  for (let round = 0; round < 3; round++) await release()
  await Promise.all(answers)
  expect(batches).toEqual(expected)
})

it('one busy key does not keep the others out of the next batch', async () => {
  const { submit, batches, turn, release } = open({ most: 2 })
  const answers = ['a1', 'a2', 'a3', 'a4', 'b1'].map((item) => submit(item))
  await turn()
  for (let round = 0; round < 3; round++) await release()
  await Promise.all(answers)
  expect(batches).toEqual([['a1', 'a2'], ['b1', 'a3'], ['a4']])
})
