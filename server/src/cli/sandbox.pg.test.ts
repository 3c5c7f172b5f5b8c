import { createOrder } from '@guildhall/wire/order/order.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { openTestServer, type TestServer } from '../testing/server.ts'
import { runCommand } from './cli.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ PAY_SANDBOX: '1' })
})
afterAll(() => server?.close())

it('an order is paid although the command is not told where its server listens: the server says so', async () => {
  const [product] = await server.command<{ id: string }[]>('product list')
  const { order_id } = await server
    .as('outsider')
    .call(createOrder, { product_id: Number(product?.id), key: 'a-key-of-one-order' })
  const beside = readConfig({ DATABASE_URL: server.database.url, DATA_DIR: server.dataDir }, '/')
  const paid = await runCommand(['sandbox', 'pay', '--order', order_id, '--way', 'wechat'], beside)
  expect(paid).toMatchObject({ server: server.url, told: [{ answered: { status: 204 } }] })
  // What was bought is granted by a job, a moment after the money was told of.
  await expect
    .poll(async () => JSON.stringify(await server.command(`order show --id ${order_id}`)))
    .toContain('"to_state":"granted"')
})
