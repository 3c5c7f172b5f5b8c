import { listGuildsV3 } from '@guildhall/wire/guild/publicGuild.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { createMessage, history } from '@guildhall/wire/message/message.ts'
import { notifyType } from '@guildhall/wire/message/notify.ts'
import { listWaiting } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { updateGuildSettings, viewGuildSettings } from '@guildhall/wire/profile/settings.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commit } from '../kit/events/events.ts'
import { leave } from '../member/member.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  guild_id = world.guilds[0]!.id as GuildId
})
afterAll(() => world.close())

const change = (input: object) => world.as('owner').call(updateGuildSettings, { guild_id, ...input })
const rail = async () => (await world.as('member').call(listWaiting)).find((it) => it.guild_id === guild_id)!
const join = async () => {
  await commit(world.app.appContext, (tx, emit) => leave(tx, emit, guild_id, world.people.outsider.id))
  await world.as('outsider').call(joinGuild, { code: world.invite })
  const messages = await world.as('owner').call(history, { id: world.main.id })
  return messages.filter(({ type }) => type === 7).map(({ content }) => content)
}

describe('a guild’s settings are not', () => {
  test('seen or changed by strangers and by members who may not manage it', async () => {
    expect(await world.as('outsider').refusal(viewGuildSettings, { guild_id })).toBe('forbidden')
    expect(await world.as('member').refusal(viewGuildSettings, { guild_id })).toBe('member.no_right')
    const input = { guild_id, notify_type: 2 }
    expect(await world.as('outsider').refusal(updateGuildSettings, input)).toBe('forbidden')
    expect(await world.as('member').refusal(updateGuildSettings, input)).toBe('member.no_right')
  })

  test('a channel of another guild, one that is none, a category, or words that are too long', async () => {
    const owner = world.as('owner')
    const other = world.guilds[1]!.default_channel_id as ChannelId
    for (const id of [other, '999999999', 'none', ''])
      for (const name of ['default_channel_id', 'welcome_channel_id'])
        expect(await owner.refusal(updateGuildSettings, { guild_id, [name]: id })).toBe('channel.unknown')
    expect(await owner.refusal(updateGuildSettings, { guild_id, default_channel_id: '0' })).toBe(
      'channel.unknown',
    )
    expect(await owner.refusal(updateGuildSettings, { guild_id, welcome_words: '好'.repeat(201) })).toBe(
      'bad_input',
    )
    expect(await owner.refusal(updateGuildSettings, { guild_id, notify_type: 0 })).toBe('bad_input')
    const category = 'weather' as 'art'
    expect(await owner.refusal(updateGuildSettings, { guild_id, category })).toBe('bad_input')
  })
})

test('what is given changes, and the rest stays', async () => {
  const before = await world.as('owner').call(viewGuildSettings, { guild_id })
  expect(await change({ welcome_words: ' 先看规则 ' })).toEqual({ ...before, welcome_words: '先看规则' })
  expect(await change({ welcome_channel_id: '0' })).toMatchObject({
    welcome_channel_id: '0',
    welcome_words: '先看规则',
  })
  expect(await change({ welcome_channel_id: world.main.id, welcome_words: '' })).toMatchObject({
    welcome_channel_id: world.main.id,
    welcome_words: '',
  })
  expect(await change({ category: 'music' })).toMatchObject({ category: 'music', welcome_words: '' })
  expect(await change({ notify_type: 1 })).toMatchObject({ category: 'music' })
})

test('the words stand below the line that names who joined', async () => {
  await change({ welcome_channel_id: world.main.id, welcome_words: '先看规则\n再打招呼' })
  expect((await join()).at(-1)).toMatch(/^欢迎 .+ 加入\n先看规则\n再打招呼$/)
})

test('members who set nothing are notified as the guild says, and their own setting goes before it', async () => {
  await change({ notify_type: notifyType.mentions })
  await world.as('owner').call(createMessage, { target_id: world.main.id, content: '早' })
  expect(await rail()).toMatchObject({ is_unread: false, notify_type: notifyType.mentions })
  await world.as('member').call(setNotifyType, { guild_id, notify_type: notifyType.all })
  expect(await rail()).toMatchObject({ is_unread: true, notify_type: notifyType.all })
  await world.as('member').call(setNotifyType, { guild_id, notify_type: notifyType.usual })
  const found = (await world.as('member').call(listGuildsV3, {})).items.find(({ id }) => id === guild_id)
  expect(found).toMatchObject({ notify_type: notifyType.mentions })
  await change({ notify_type: notifyType.all })
})
