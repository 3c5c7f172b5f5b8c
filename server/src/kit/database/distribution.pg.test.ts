import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../testing/database/database.ts'
import { compare } from '../../testing/database/distribution.ts'
import { DISTRIBUTION, type Distribution } from './distribution.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const compared = (changes: Readonly<Record<string, Distribution>> = {}) =>
  compare(database.db, { ...DISTRIBUTION, ...changes })

describe('the list of how tables are distributed', () => {
  it('does not fit when it lacks a table, or names one that is not there', async () => {
    const { message: _, ...rest } = DISTRIBUTION
    expect((await compare(database.db, rest)).faults).toEqual(['message is not listed'])
    expect((await compared({ nothing: 'central' })).faults).toEqual(['there is no table nothing'])
  })

  it('does not fit when it says of a unique key without the column neither why it stays unique nor what it needs', async () => {
    const { faults } = await compared({ invite: { group: 'guild', column: 'guild_id', keys: {} } })
    expect(faults).toEqual(['invite_pkey lacks the column of invite, and nobody says why'])
  })

  it('does not fit when it speaks of a key that has the column', async () => {
    const keys = { ban_pkey: { stays: 'in a dream' } }
    const { faults } = await compared({ ban: { group: 'guild', column: 'guild_id', keys } })
    expect(faults).toEqual(['ban_pkey is no unique key that lacks the column of ban'])
  })

  it('does not fit when a column is not there, or may be null', async () => {
    const { faults } = await compared({
      author_day: { group: 'guild', column: 'place', keys: { author_day_pkey: { stays: '' } } },
      asset_use: { group: 'guild', column: 'guild_id', keys: { asset_use_pkey: { stays: '' } } },
    })
    expect(faults.toSorted()).toEqual(['asset_use.guild_id may be null', 'author_day has no place'])
  })

  it('fits the tables; if not, add what is new to kit/database/distribution.ts', async () => {
    expect((await compared()).faults).toEqual([])
  })
})

it('a foreign key leads to another server unless both rows have the same value in the columns that decide', async () => {
  const { foreignKeys } = await compared()
  const has = (table: string, to: string) => foreignKeys.some((it) => it.table === table && it.to === to)
  expect(has('membership', 'user')).toBe(true)
  expect(has('reaction', 'message')).toBe(true)
  expect(has('coupon', 'user')).toBe(true)
  expect(has('membership_role', 'role')).toBe(false)
  expect(has('ban', 'guild')).toBe(false)
  expect(has('order_line', 'product')).toBe(false)
  expect(has('order_step', 'order')).toBe(false)
})
