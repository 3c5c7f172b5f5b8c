import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { leaveGuild } from '@guildhall/wire/guild/ownGuild.ts'
import {
  acceptTransfer,
  cancelTransfer,
  GUILD_TRANSFER_MS,
  guildTransferred,
  offerGuild,
  viewTransfer,
} from '@guildhall/wire/guild/transfer.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { replaceClock } from '../../kit/clock.ts'
import type { LiveEvent } from '../../kit/events/bus.ts'
import { commit } from '../../kit/events/events.ts'
import { createGuild, join } from '../../member/member.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { registerBot } from '../../user/user.ts'
import { changeOwner } from '../guild.ts'

let world: TestWorld
let guild_id: GuildId
let bot: UserId
let now: number
let stopClock: () => void
let received: LiveEvent[] = []

beforeAll(async () => {
  world = await openWorld()
  for (const name of ['owner', 'member', 'outsider', 'admin'] as const) await world.tokenOf(name)
  world.app.appContext.bus.subscribe((event) => void received.push(event))
})
afterAll(() => world.close())
beforeEach(async () => {
  now = Date.now()
  stopClock = replaceClock(() => now)
  guild_id = await commit(world.app.appContext, async (tx, emit) => {
    const id = await createGuild(tx, emit, { name: '转让', ownerId: world.people.owner.id })
    bot = (await registerBot(tx, '机器人')).id
    for (const user of [idOf('member'), idOf('admin'), bot]) await join(tx, emit, id, user)
    return id
  })
  await world.app.appContext.bus.settled()
  received = []
})
afterEach(() => stopClock())

const idOf = (name: PersonName) => world.people[name].id
const offer = (name: PersonName) => ({ guild_id, user_id: idOf(name) })
const ownerOf = async () =>
  (await world.as('owner').call(listGuilds)).find(({ id }) => id === guild_id)?.user_id
const states = async (name: PersonName) => {
  await world.app.appContext.bus.settled()
  return received
    .filter((it) => it.kind === guildTransferred.name && 'userId' in it && it.userId === idOf(name))
    .map(({ body }) => (body as { state: string }).state)
}
const pending = async (name: PersonName) =>
  (await world.as(name).call(viewTransfer, { guild_id })).transfer?.receiver.id ?? null

describe('a guild is not', () => {
  test('offered by others than its owner, nor to oneself, to who is no member, or to a bot', async () => {
    expect(await world.as('outsider').refusal(offerGuild, offer('member'))).toBe('forbidden')
    expect(await world.as('member').refusal(offerGuild, offer('admin'))).toBe('guild.not_owner')
    expect(await world.as('owner').refusal(offerGuild, offer('owner'))).toBe('guild.owner')
    expect(await world.as('owner').refusal(offerGuild, offer('outsider'))).toBe('guild.not_member')
    expect(await world.as('owner').refusal(offerGuild, { guild_id, user_id: bot })).toBe('user.unknown')
    expect(await pending('owner')).toBeNull()
  })

  test('taken by whom it was not offered to', async () => {
    await world.as('owner').call(offerGuild, offer('member'))
    for (const name of ['owner', 'admin'] as const)
      expect(await world.as(name).refusal(acceptTransfer, { guild_id })).toBe('guild.no_transfer')
    expect(await world.as('admin').refusal(cancelTransfer, { guild_id })).toBe('guild.no_transfer')
    expect(await pending('admin')).toBeNull()
    expect(await ownerOf()).toBe(idOf('owner'))
  })

  test('taken twice, after it was withdrawn, or after seven days', async () => {
    await world.as('owner').call(offerGuild, offer('member'))
    await world.as('owner').call(cancelTransfer, { guild_id })
    expect(await world.as('member').refusal(acceptTransfer, { guild_id })).toBe('guild.no_transfer')
    await world.as('owner').call(offerGuild, offer('member'))
    now += GUILD_TRANSFER_MS
    expect(await world.as('member').refusal(acceptTransfer, { guild_id })).toBe('guild.no_transfer')
    expect(await pending('member')).toBeNull()
    await world.as('owner').call(offerGuild, offer('member'))
    const twice = await Promise.all(
      [1, 2].map(() => world.as('member').refusal(acceptTransfer, { guild_id })),
    )
    expect(twice.sort()).toEqual(['guild.no_transfer', 'none'])
  })

  test('taken by who left meanwhile, nor when staff gave it to somebody else', async () => {
    await world.as('owner').call(offerGuild, offer('member'))
    await world.as('member').call(leaveGuild, { guild_id })
    expect(await pending('owner')).toBeNull()
    await world.as('owner').call(offerGuild, offer('admin'))
    await commit(world.app.appContext, async (tx, emit) => {
      await join(tx, emit, guild_id, idOf('member'))
      await changeOwner(tx, emit, guild_id, idOf('member'))
    })
    expect(await world.as('admin').refusal(acceptTransfer, { guild_id })).toBe('guild.no_transfer')
  })
})

test('the receiver owns what they accept; who owned it stays a member, and both are told', async () => {
  await world.as('owner').call(offerGuild, offer('member'))
  expect(await pending('member')).toBe(idOf('member'))
  await world.as('member').call(acceptTransfer, { guild_id })
  expect(await ownerOf()).toBe(idOf('member'))
  for (const name of ['owner', 'member'] as const) expect(await states(name)).toEqual(['offered', 'accepted'])
  expect(await pending('owner')).toBeNull()
})

test('an offer to somebody else withdraws the first one', async () => {
  await world.as('owner').call(offerGuild, offer('member'))
  await world.as('owner').call(offerGuild, offer('admin'))
  expect(await states('member')).toEqual(['offered', 'cancelled'])
  expect(await world.as('member').refusal(acceptTransfer, { guild_id })).toBe('guild.no_transfer')
  await world.as('admin').call(cancelTransfer, { guild_id })
  expect(await states('owner')).toEqual(['offered', 'cancelled', 'offered', 'cancelled'])
})
