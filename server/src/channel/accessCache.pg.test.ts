import { channelUpdated } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bus, openBus, type Relay, type Topic } from '../kit/events/bus.ts'
import { commit, eventLogOf } from '../kit/events/events.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { createChannel, openAccessCache } from './channel.ts'

let world: TestWorld
let demo: GuildId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
})
afterAll(() => world.close())

const db = () => world.database.db
async function newChannel(): Promise<ChannelId> {
  const id = await commit(world.app.appContext, (tx, emit) =>
    createChannel(tx, emit, { guildId: demo, name: '规则会变', type: 1 }),
  )
  await world.app.appContext.bus.settled()
  return id
}
const silence = (id: ChannelId) => sql`
  insert into channel_role_rule (channel_id, guild_id, role_id, allow, deny)
  values (${id}, ${demo}, 0, 0, ${permission.send_message})`
const publishChange = (bus: Bus, id: ChannelId) =>
  commit({ db: db(), bus }, async (_tx, emit) =>
    emit.guild(demo, channelUpdated, { id, guild_id: demo, name: '规则会变' } as never, id),
  )
const member = () => world.people.member.id

it('access that allows sending is cached until an event of the guild changes rules', async () => {
  const { bus } = world.app.appContext
  const view = openAccessCache(db(), bus)
  const id = await newChannel()
  expect((await view(member(), id))?.whyCannotSend({})).toBeNull()
  await silence(id).execute(db())
  expect((await view(member(), id))?.whyCannotSend({})).toBeNull()
  await publishChange(bus, id)
  expect((await view(member(), id))?.whyCannotSend({})).not.toBeNull()
})

it('access that does not allow sending is queried every time', async () => {
  const view = openAccessCache(db(), world.app.appContext.bus)
  const id = await newChannel()
  await silence(id).execute(db())
  expect((await view(member(), id))?.whyCannotSend({})).not.toBeNull()
  await sql`delete from channel_role_rule where channel_id = ${id}`.execute(db())
  expect((await view(member(), id))?.whyCannotSend({})).toBeNull()
})

it('a result concurrent with a change is not cached', async () => {
  const { bus } = world.app.appContext
  const view = openAccessCache(db(), bus)
  const id = await newChannel()
  const asked = view(member(), id)
  await silence(id).execute(db())
  await publishChange(bus, id)
  await asked
  expect((await view(member(), id))?.whyCannotSend({})).not.toBeNull()
})

it('among several nodes nothing is cached of a guild whose events this node does not receive', async () => {
  const relay: Relay = { send() {}, watch: async () => undefined, unwatch() {} }
  const bus = openBus(eventLogOf(db()), undefined, undefined, relay)
  const view = openAccessCache(db(), bus)
  const id = await newChannel()
  const isRemembered = async () => {
    expect((await view(member(), id))?.whyCannotSend({})).toBeNull()
    await silence(id).execute(db())
    const still = (await view(member(), id))?.whyCannotSend({}) === null
    await sql`delete from channel_role_rule where channel_id = ${id}`.execute(db())
    return still
  }
  const topic: Topic = `guild:${demo}`
  expect(await isRemembered()).toBe(false)
  await bus.watch(topic)
  expect(await isRemembered()).toBe(false)
  bus.start(topic, Number.MAX_SAFE_INTEGER)
  expect(await isRemembered()).toBe(true)
  bus.unwatch(topic)
  expect(await isRemembered()).toBe(false)
  await bus.watch(topic)
  bus.start(topic, Number.MAX_SAFE_INTEGER)
  expect((await view(member(), id))?.whyCannotSend({})).toBeNull()
  bus.close()
})
