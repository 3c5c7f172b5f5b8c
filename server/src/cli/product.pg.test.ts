import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { openTestDatabase, type TestDatabase } from '../testing/database/database.ts'
import { runCommand } from './cli.ts'

let database: TestDatabase
let config: Config
beforeAll(async () => {
  database = await openTestDatabase()
  config = readConfig({ DATABASE_URL: database.url }, '/')
})
afterAll(() => database.close())

const run = (...args: string[]) => runCommand(args, config)
const refusal = (...args: string[]) =>
  run(...args).then(
    () => 'done',
    (error: Error) => error.message,
  )
const MONTH = ['--kind', 'buff', '--name', 'BUFF 月卡', '--price', '1500', '--details', '{"days":30}']

test('a product is refused without a price, with a price of nothing, or when nothing can grant it', async () => {
  expect(await refusal('product', 'put', '--kind', 'buff', '--name', 'x', '--details', '{}')).toMatch(
    /--price is missing/,
  )
  expect(await refusal('product', 'put', ...MONTH, '--price', '0')).toMatch(/--price must be/)
  expect(await refusal('product', 'put', ...MONTH, '--market', '2')).toMatch(/--market must be/)
  expect(await refusal('product', 'put', ...MONTH, '--details', '{"days":0}')).toMatch(
    /nothing that buff can grant/,
  )
  expect(await refusal('product', 'put', ...MONTH, '--details', 'days')).toMatch(/JSON object/)
  expect(await refusal('product', 'put', ...MONTH, '--kind', 'gold')).toMatch(/--kind must be one of buff/)
  expect(await refusal('product', 'put', ...MONTH, '--en-label', 'x'.repeat(21))).toMatch(/--en-label 20/)
  expect(await refusal('product', 'put', '--id', '7', '--price', '1')).toMatch(/no product 7/)
  expect(await refusal('product', 'retire', '--id', '7')).toMatch(/no product 7 on sale/)
  expect(await run('product', 'list')).toEqual([])
})

test('a product is put on sale, changed, taken off, and put on sale again', async () => {
  const made = (await run('product', 'put', ...MONTH)) as { id: number }
  expect(made).toMatchObject({ price: 1500, details: { days: 30 }, on_sale: true })
  const id = String(made.id)
  expect(await run('product', 'put', '--id', id, '--price', '1200')).toMatchObject({
    price: 1200,
    name: 'BUFF 月卡',
  })
  expect(await run('product', 'retire', '--id', id)).toMatchObject({ on_sale: false })
  expect(await refusal('product', 'retire', '--id', id)).toMatch(/on sale/)
  expect(await run('product', 'put', '--id', id, '--label', '限时')).toMatchObject({
    on_sale: true,
    discount_label: '限时',
  })
  expect(await run('product', 'list')).toEqual([expect.objectContaining({ id: made.id, on_sale: true })])
  await run('product', 'put', '--id', id, '--en-name', 'BUFF, 1 month')
  expect(await run('product', 'put', '--id', id, '--en-tip', 'For 30 days')).toMatchObject({
    translations: { en: { name: 'BUFF, 1 month', discount_label: '', buy_tip: 'For 30 days' } },
  })
})

test('orders are listed, one that is none is refused, and an empty ledger balances', async () => {
  expect(await run('order', 'list')).toEqual([])
  expect(await run('order', 'list', '--stuck')).toEqual([])
  expect(await refusal('order', 'list', '--state', 'lost')).toMatch(/--state must be one of placed/)
  for (const id of ['1', 'x', '99999999999999999999'])
    expect(await refusal('order', 'show', '--id', id)).toMatch(/no order/)
  expect(await run('ledger', 'check')).toEqual({ ok: true, accounts: [], differences: [] })
})
