import { createMessage } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENTS_KEPT_MS } from '../kit/retention.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { deleteExpiredEphemeral } from './ephemeral.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = (content: string) =>
  world.as('member').call(createMessage, {
    target_id: world.main.id,
    content,
    nonce: 'n',
    temp_target_id: world.people.admin.id,
  })

test('an ephemeral message is known by its nonce for as long as it can be replayed, and then deleted', async () => {
  const { db } = world.database
  const first = await say('first')
  expect(await deleteExpiredEphemeral(db)).toBe(0)
  expect((await say('again')).msg_id).toBe(first.msg_id)
  await sql`update quiet_message set at = at - ${EVENTS_KEPT_MS + 1000}`.execute(db)
  expect(await deleteExpiredEphemeral(db)).toBe(1)
  expect((await say('anew')).msg_id).not.toBe(first.msg_id)
})

test('of an ephemeral text nothing is stored beside its event', async () => {
  await say('a secret')
  const { rows } = await sql<{ all: string }>`
    select string_agg(row_to_json(it)::text, '') as all from quiet_message it`.execute(world.database.db)
  expect(rows[0]?.all).not.toContain('secret')
})
