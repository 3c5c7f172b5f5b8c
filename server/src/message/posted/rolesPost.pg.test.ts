/** A message in a channel, from which members open the roles that they may choose. */
import { readCards } from '@guildhall/wire/card/card.ts'
import { buttonsIn } from '@guildhall/wire/card/textOfCards.ts'
import { createOverwrite, updateOverwrite } from '@guildhall/wire/channel/overwrite.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import { listMessages } from '@guildhall/wire/message/action.ts'
import { history } from '@guildhall/wire/message/message.ts'
import { postRoles, updateOnboarding } from '@guildhall/wire/onboarding/onboarding.ts'
import { rolesGuildIn } from '@guildhall/wire/onboarding/rolesAddress.ts'
import { permission } from '@guildhall/wire/permission/permission.ts'
import { createRole, updateRole } from '@guildhall/wire/role/role.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import type { LiveEvent } from '../../kit/events/bus.ts'
import { rolesOf } from '../../role/role.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'

let world: TestWorld
let told: LiveEvent[] = []
beforeAll(async () => {
  world = await openWorld()
  const guild_id = world.guildId
  const admins = (await rolesOf(world.database.db, guild_id))[0]!.role_id
  await owner().call(updateRole, { guild_id, role_id: admins, permissions: permission.manage_guild })
  world.app.appContext.bus.subscribe((event) => told.push(event))
})
afterAll(() => world.close())

const owner = () => world.as('owner')
const input = (channel_id: ChannelId = world.main.id) => ({ guild_id: world.guildId, channel_id })
const refused = (name: PersonName, channelId?: ChannelId) =>
  world.as(name).refusal(postRoles, input(channelId))
async function offer() {
  const guild_id = world.guildId
  const { role_id } = await owner().call(createRole, { guild_id, name: '北服' })
  const questions = [{ title: '在哪个服', several: false, role_ids: [role_id] }]
  await owner().call(updateOnboarding, { guild_id, questions })
}

describe('nothing is posted', () => {
  it('as long as no role is offered', async () => {
    expect(await refused('owner')).toBe('onboarding.no_questions')
    await offer()
  })

  it('by who does not manage the guild, or is not in it', async () => {
    expect(await refused('member')).toBe('member.no_right')
    expect(await refused('outsider')).toBe('forbidden')
  })

  it('in a channel that is no text channel, of another guild, or gone', async () => {
    expect(await refused('owner', world.voice.id)).toBe('message.not_allowed')
    expect(await refused('owner', '999999' as ChannelId)).toBe('forbidden')
    const elsewhere = { guild_id: world.guilds[1]!.id, channel_id: world.main.id }
    expect(await owner().refusal(postRoles, elsewhere)).toBe('forbidden')
  })

  it('where its poster may not write or look', async () => {
    const everyone = { channel_id: world.main.id, type: 'role_id', value: '0' } as const
    await owner().call(createOverwrite, everyone)
    await owner().call(updateOverwrite, { ...everyone, deny: permission.send_message })
    expect(await refused('admin')).toBe('message.not_allowed')
    await owner().call(updateOverwrite, { ...everyone, deny: permission.view_channel })
    expect(await refused('admin')).toBe('forbidden')
    await owner().call(updateOverwrite, { ...everyone, deny: 0 })
    expect(await refused('admin')).toBe('none')
  })
})

it('the official account posts a card whose button leads to the roles of the guild, and names none of them', async () => {
  await world.app.appContext.bus.settled()
  told = []
  await owner().call(postRoles, input())
  await world.app.appContext.bus.settled()
  expect(told.map(({ kind }) => kind)).toEqual(['message'])
  const newest = (await owner().call(history, { id: world.main.id })).at(-1)!
  expect((told[0]!.body as { message: unknown }).message).toEqual(newest)
  expect(newest).toMatchObject({ type: 10, author: { bot: true, is_sys: true } })
  expect(newest.content).not.toContain('北服')
  const read = readCards(newest.content)
  const [button, ...more] = buttonsIn('cards' in read ? read.cards : [])
  expect(more).toEqual([])
  expect(button).toMatchObject({ click: 'link', text: { content: '选择角色' } })
  expect(rolesGuildIn(new URL(button!.value))).toBe(world.guildId)
  // What bots and the preview of conversations read.
  const { items } = await owner().call(listMessages, { target_id: world.main.id, page_size: 1 })
  expect(items[0]!.mention_info.raw_content).toContain('选择角色')
})

it('who posts in a loop is stopped', async () => {
  const answers = []
  for (let n = 0; n < 12; n += 1) answers.push(await refused('owner'))
  expect(answers).toContain('too_many')
})
