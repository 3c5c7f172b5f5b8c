import type { ChannelId } from '@guildhall/wire/id.ts'
import { deleteMessage, updateMessage } from '@guildhall/wire/message/action.ts'
import { LAST_WORDS_MAX, viewActivity } from '@guildhall/wire/message/activity.ts'
import { createMessage, sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChannel } from '../channel/channel.ts'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { connectionsTaken } from '../testing/database/connectionsTaken.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { activityIn } from './activity.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const newChannel = (name: string): Promise<ChannelId> =>
  commit(world.app.appContext, (tx, emit) =>
    createChannel(tx, emit, { guildId: world.guildId, name, type: 1 }),
  )
const say = async (who: PersonName, id: string, content: string, type = 9) =>
  (await world.as(who).call(sendToChannel, { id, content: JSON.stringify({ content, type }) })).message
const activityFor = (who: PersonName) => world.as(who).call(viewActivity, { guild_id: world.guildId })
const lastIn = async (id: string, who: PersonName = 'member') =>
  (await activityFor(who)).channels.find((it) => it.channel_id === id)

it('is refused to people who are no members', async () => {
  expect(await world.as('outsider').refusal(viewActivity, { guild_id: world.guildId })).toBe('forbidden')
})

it('has the text channels that somebody may view, and no others', async () => {
  const idsFor = async (who: PersonName) => (await activityFor(who)).channels.map((it) => it.channel_id)
  const seen = await idsFor('member')
  expect(seen).toContain(world.main.id)
  expect(seen).not.toContain(world.backstage.id)
  expect(seen).not.toContain(world.voice.id)
  expect(await idsFor('admin')).toContain(world.backstage.id)
})

it('has nothing of a channel without messages, and then the last one with its author', async () => {
  const id = await newChannel('空')
  expect(await lastIn(id)).toEqual({ channel_id: id, last_seq: 0, last_words: null })
  await say('owner', id, '一')
  const { seq } = await say('member', id, '二')
  expect(await lastIn(id)).toMatchObject({
    last_seq: seq,
    last_words: { content: '二', author: { id: world.people.member.id, username: '南枝' } },
  })
})

it('follows edits, and falls back to the message before a deleted one', async () => {
  const id = await newChannel('变')
  const first = await say('owner', id, '一')
  const second = await say('owner', id, '二')
  await world.as('owner').call(updateMessage, { msg_id: second.id, content: '**二**' })
  expect((await lastIn(id))?.last_words).toMatchObject({ content: '**二**', updated_at: expect.any(Number) })
  await world.as('owner').call(deleteMessage, { msg_id: second.id })
  expect(await lastIn(id)).toMatchObject({ last_seq: second.seq, last_words: { id: first.id } })
  await world.as('owner').call(deleteMessage, { msg_id: first.id })
  expect(await lastIn(id)).toMatchObject({ last_seq: second.seq, last_words: null })
})

it('has no message that only one person sees', async () => {
  const id = await newChannel('悄悄')
  await say('owner', id, '大家')
  const only = { target_id: id, content: '只有你', temp_target_id: world.people.member.id }
  await world.as('owner').call(createMessage, only)
  expect((await lastIn(id))?.last_words?.content).toBe('大家')
})

it('has the beginning of a long text, and of what is no text nothing but its kind', async () => {
  const id = await newChannel('长')
  await say('owner', id, '长'.repeat(LAST_WORDS_MAX + 50))
  expect((await lastIn(id))?.last_words?.content).toBe('长'.repeat(LAST_WORDS_MAX))
  await sql`update message set kind = 'image', content = '/assets/secret.png' where channel_id = ${id}`.execute(
    world.database.db,
  )
  expect((await lastIn(id))?.last_words).toMatchObject({ type: 2, content: '' })
})

it('counts the caller among those who are online', async () => {
  expect((await activityFor('member')).online_count).toBe(1)
})

it('asks the database as often for many channels as for few', async () => {
  const questions = () =>
    connectionsTaken(world, (appContext) => activityIn(appContext, world.idOf('member'), world.guildId))
  await questions()
  const few = await questions()
  expect(few).toBeGreaterThan(0)
  for (let n = 0; n < 5; n += 1) await say('owner', await newChannel(`第 ${n} 个`), '在')
  await questions()
  expect(await questions()).toBe(few)
})

it('costs a bounded number of messages, however many were deleted at the end', async () => {
  const id = await newChannel('删')
  const kept = await say('owner', id, '留下的')
  for (let n = 0; n < 60; n += 1) await say('owner', id, `${n}`)
  const deleteAllBut = (most: number) =>
    sql`update message set deleted_at = 1 where channel_id = ${id} and id <> ${kept.id}
      and seq < (select max(seq) from message where channel_id = ${id}) - ${most}`.execute(world.database.db)
  await deleteAllBut(0)
  expect((await lastIn(id))?.last_words?.content).toBe('59')
  await deleteAllBut(-1)
  expect((await lastIn(id))?.last_words).toBeNull()
})
