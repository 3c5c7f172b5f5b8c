import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChannel } from '../channel/channel.ts'
import { commit, eventsAfter } from '../kit/events/events.ts'
import { emptyPresence } from '../kit/events/presence.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { openSendPipeline, type SendPipeline, send } from './message.ts'

let world: TestWorld
let demo: GuildId
let owner: UserId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
  owner = world.people.owner.id
})
afterAll(() => world.close())

const db = () => world.database.db
const lastSeq = async (guildId: GuildId = demo) => {
  const { rows } = await sql<{ seq: number }>`
    select event_seq::float8 as seq from guild_counter where guild_id = ${guildId}`.execute(db())
  return rows[0]?.seq ?? 0
}
const numbersAfter = async (seq: number, guildId: GuildId = demo) =>
  (await eventsAfter(db(), guildId, seq, 1_000)).map((event) => event.seq)
const upTo = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index + 1)
const sendText = (
  pipeline: SendPipeline,
  content: string,
  more: { nonce?: string; id?: ChannelId; userId?: UserId } = {},
): Promise<Message> =>
  send(
    { ...world.app.appContext, presence: emptyPresence },
    more.userId ?? owner,
    {
      channelId: more.id ?? world.main.id,
      content: JSON.stringify({ content }),
      objectName: 'RC:TxtMsg',
      nonce: more.nonce ?? '',
    },
    pipeline,
  )
const newChannel = (name: string): Promise<ChannelId> =>
  commit(world.app.appContext, (tx, emit) => createChannel(tx, emit, { guildId: demo, name, type: 1 }))
/** A pipeline whose drafts wait until `open` is called. */
function gated(pipeline: SendPipeline) {
  let open: () => void = () => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const waiting: SendPipeline = { ...pipeline, store: (draft) => gate.then(() => pipeline.store(draft)) }
  return { pipeline: waiting, open: () => open() }
}

it('a channel that is deleted before the commit fails only its own send, and leaves no hole', async () => {
  const doomed = await newChannel('将要消失')
  const before = await lastSeq()
  const { pipeline, open } = gated(openSendPipeline(db()))
  const sends = [sendText(pipeline, '一'), sendText(pipeline, '二', { id: doomed }), sendText(pipeline, '三')]
  const answers = Promise.allSettled(sends)
  // Its access is looked up before it is deleted, and it is stored afterwards.
  await pipeline.access(owner, doomed)
  await sql`delete from channel where id = ${doomed}`.execute(db())
  open()
  expect((await answers).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await numbersAfter(before)).toEqual(upTo(before, 2))
})

it('a guild that is deleted before the commit fails only its own sends', async () => {
  const otherGuild = world.guilds[1]?.id as GuildId
  const there = world.channels.find((each) => each.guild_id === otherGuild && each.type === 1)
    ?.id as ChannelId
  const before = await lastSeq()
  const { pipeline, open } = gated(openSendPipeline(db()))
  const answers = Promise.allSettled([
    sendText(pipeline, '一', { id: there, nonce: 'q' }),
    sendText(pipeline, '二'),
  ])
  await pipeline.access(owner, there)
  const { rows } = await sql<{ event_seq: string; last_at: string }>`
    delete from guild_counter where guild_id = ${otherGuild} returning event_seq, last_at`.execute(db())
  open()
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await numbersAfter(before)).toEqual(upTo(before, 1))
  await sql`
    insert into guild_counter values (${otherGuild}, ${rows[0]?.event_seq}, ${rows[0]?.last_at})`.execute(
    db(),
  )
})

it('a send is not answered before its commit', async () => {
  let answered = false
  let sending: Promise<Message> | null = null
  await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select 1 from guild_counter where guild_id = ${demo} for update`.execute(tx)
      sending = sendText(openSendPipeline(db()), '等一等').finally(() => {
        answered = true
      })
      // Until it waits for the counter that this transaction holds. Queried outside the transaction, because
      // a transaction sees the activity as of its first query.
      for (let isWaiting = false; !isWaiting; ) {
        const { rows } = await sql`
          select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%with draft%'`.execute(
          db(),
        )
        isWaiting = rows.length > 0
      }
      expect(answered).toBe(false)
    })
  expect((await sending!).content).toBe('等一等')
})

it('a hundred sends at once to two guilds share statements; each guild is numbered without a hole', async () => {
  const grand = world.guilds[2]?.id as GuildId
  const there = world.channels.find((each) => each.guild_id === grand && each.type === 1)?.id as ChannelId
  const [before, grandBefore] = [await lastSeq(), await lastSeq(grand)]
  const sizes: number[] = []
  const pipeline = openSendPipeline(db(), {
    batch: (size) => sizes.push(size),
    watchQueue() {},
    committed() {},
  })
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      sendText(pipeline, `第${index}句`, { nonce: `many-${index}`, id: index % 2 ? there : world.main.id }),
    ),
  )
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100)
  expect(sizes.length).toBeLessThan(20)
  expect(await numbersAfter(before)).toEqual(upTo(before, 50))
  expect(await numbersAfter(grandBefore, grand)).toEqual(upTo(grandBefore, 50))
  const logged = await eventsAfter(db(), demo, before, 100)
  const here = results.filter(({ guild_id }) => guild_id === demo)
  expect(logged.map(({ body }) => (body as { message: Message }).message)).toEqual(here)
})

it('concurrent sends of one person keep their order, also when the first look-up takes longer', async () => {
  const slow = `(met)${world.people.member.id}(met) (chn)${world.rules.id}(chn) (rol)1(rol)`
  const results = await Promise.all(
    [slow, '二', slow, '四', '五'].map((content, index) =>
      world.as('owner').call(sendToChannel, {
        id: world.main.id,
        content: JSON.stringify({ content }),
        nonce: `order-${index}`,
      }),
    ),
  )
  const numbers = results.map(({ message }) => message.seq)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

it('a nonce twice in one batch is one message, and both sends get the same answer', async () => {
  const before = await lastSeq()
  const pipeline = openSendPipeline(db())
  const [first, second, other] = await Promise.all([
    sendText(pipeline, '第一', { nonce: 'twice' }),
    sendText(pipeline, '第一', { nonce: 'twice' }),
    sendText(pipeline, '别的', { nonce: 'other' }),
  ])
  expect(second).toEqual(first)
  expect(other?.content).toBe('别的')
  expect(await numbersAfter(before)).toEqual(upTo(before, 2))
})

it('two nodes that store the same nonces at once make one message of each, without a hole', async () => {
  const before = await lastSeq()
  const pipelines = [openSendPipeline(db()), openSendPipeline(db())]
  const nonces = Array.from({ length: 30 }, (_, index) => `nodes-${index}`)
  const answers = await Promise.all(
    pipelines.flatMap((pipeline) => nonces.map((nonce) => sendText(pipeline, nonce, { nonce }))),
  )
  expect(answers.slice(0, 30)).toEqual(answers.slice(30))
  expect(await numbersAfter(before)).toEqual(upTo(before, 30))
})

it('a send repeated after its process died between commit and answer returns the first message', async () => {
  const before = await lastSeq()
  const pipeline = openSendPipeline(db())
  const died = new Error('killed')
  const dying: SendPipeline = {
    ...pipeline,
    async store(draft) {
      await pipeline.store(draft)
      throw died
    },
  }
  await expect(sendText(dying, '说过了', { nonce: 'lost' })).rejects.toBe(died)
  // As in a new process: another pipeline, and another bus.
  const repeated = await sendText(openSendPipeline(db()), '说过了', { nonce: 'lost' })
  expect(repeated).toMatchObject({ content: '说过了', seq: before + 1, nonce: 'lost' })
  expect(await numbersAfter(before)).toEqual([before + 1])
})
