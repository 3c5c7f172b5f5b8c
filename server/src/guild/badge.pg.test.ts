import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await openTestServer()
})
afterAll(() => server?.close())

const badge = (query: string) => fetch(`${server.url}/api/v3/badge/guild${query}`)
const wordsOf = async (query: string) =>
  [...(await (await badge(query)).text()).matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text)

it.each(['', '?guild_id=x', '?guild_id=999999999', '?guild_id=1%27'])(
  'there is no badge for %j',
  async (query) => {
    expect((await badge(query)).status).toBe(404)
  },
)

it('anybody gets a guild as a picture: its name, how many are online, and of how many', async () => {
  const answer = await badge(`?guild_id=${server.guildId}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  const [name = ''] = await wordsOf(`?guild_id=${server.guildId}&style=0`)
  expect(name).not.toBe('')
  expect(await wordsOf(`?guild_id=${server.guildId}&style=1`)).toEqual([name, '0'])
  const [, counts = ''] = await wordsOf(`?guild_id=${server.guildId}&style=2`)
  expect(counts).toMatch(/^0\/[1-9]\d*$/)
})
