/** What a new guild still needs: shown to its owner alone, until they close it. */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { closeChecklist } from '@guildhall/wire/onboarding/onboarding.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { commit } from '../kit/events/events.ts'
import { join } from '../member/member.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  guild_id = (await world.as('member').call(createGuild, { name: '新公会' })).id
  await commit(world.app.appContext, (tx, emit) => join(tx, emit, guild_id, world.people.admin.id))
})
afterAll(() => world.close())

const isShown = async (name: PersonName, id = guild_id) =>
  (await world.as(name).call(viewGuild, { id })).user_config.has_checklist ?? false

it('strangers and members see none, and close none', async () => {
  expect(await isShown('admin')).toBe(false)
  expect(await world.as('outsider').refusal(closeChecklist, { guild_id })).toBe('forbidden')
  expect(await world.as('admin').refusal(closeChecklist, { guild_id })).toBe('guild.not_owner')
})

it('the owner sees it until they close it; twice is as once', async () => {
  expect(await isShown('member')).toBe(true)
  for (const _ of [1, 2]) await world.as('member').call(closeChecklist, { guild_id })
  expect(await isShown('member')).toBe(false)
})

it('a guild that was not begun by a person has none', async () => {
  expect(await isShown('owner', world.guildId)).toBe(false)
})
