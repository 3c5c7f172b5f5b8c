import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { createGuild, GUILD_TEMPLATES, leaveGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { createInvite } from '@guildhall/wire/invite/manage.ts'
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { ALL_PERMISSIONS } from '@guildhall/wire/permission/permission.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { joinByInvite } from '../invite/invite.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { templates } from './template/template.ts'

let world: TestWorld
let demo: GuildId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
})
beforeEach(() => sql`delete from attempt`.execute(world.database.db))
afterAll(() => world.close())

describe('a guild is not created', () => {
  it('by a guest, or by somebody whose number is not verified', async () => {
    expect(await world.as(null).refusal(createGuild, { name: '新公会' })).toBe('not_logged_in')
    expect(await world.as('unverified').refusal(createGuild, { name: '新公会' })).toBe('guild.unverified')
  })

  it('without a name that is seen, or with more than 30 characters', async () => {
    for (const name of ['', '   ', '\u200b', '\u2800', '长'.repeat(31)])
      expect(await world.as('member').refusal(createGuild, { name })).toBe('guild.name_wrong')
  })

  it('with a picture of somebody else, or from elsewhere', async () => {
    for (const icon of [
      'https://example.org/x.png',
      `${world.app.appContext.publicUrl}/assets/2026-11/abcdefgh0hs0hs.webp`,
    ])
      expect(await world.as('member').refusal(createGuild, { name: '新公会', icon })).toBe('asset.unknown')
    expect((await world.as('member').call(listGuilds)).map(({ name }) => name)).not.toContain('新公会')
  })

  it('more than five times an hour, and never beyond the twentieth of one owner', async () => {
    const call = world.as('outsider').call
    const all = await Promise.all(
      Array.from({ length: 7 }, (_, n) => refusalOf(call(createGuild, { name: `快${n}` }))),
    )
    expect(all.filter((it) => it === 'none')).toHaveLength(5)
    expect(all.filter((it) => it === 'too_many')).toHaveLength(2)
    for (let n = 0; n < 15; n++) {
      await sql`delete from attempt`.execute(world.database.db)
      await call(createGuild, { name: `慢${n}` })
    }
    await sql`delete from attempt`.execute(world.database.db)
    expect(await refusalOf(call(createGuild, { name: '太多' }))).toBe('guild.owns_too_many')
  })
})

describe('a new guild', () => {
  it('belongs to its owner, and has a channel in which one can write at once', async () => {
    const call = world.as('member').call
    const { id, name, default_channel_id, is_master } = await call(createGuild, {
      name: ' Night \u3000\u202eRadio ',
    })
    expect({ name, is_master }).toEqual({ name: 'Night Radio', is_master: true })
    const guild = await call(viewGuild, { id })
    expect(guild).toMatchObject({ permissions: ALL_PERMISSIONS, user_id: world.people.member.id })
    expect(guild.channels.map((it) => [it.id, it.name])).toEqual([[default_channel_id, '综合']])
    expect(guild.welcome_channel_id).toBe(default_channel_id)
    await call(sendToChannel, { id: default_channel_id, content: JSON.stringify({ content: '开张' }) })
    expect((await call(history, { id: default_channel_id })).map((it) => it.content)).toEqual(['开张'])
  })

  it.each(GUILD_TEMPLATES)(
    'begins with what the template %s has, and with a text channel in which one can write at once',
    async (template) => {
      const call = world.as('member').call
      const made = await call(createGuild, { name: '模板', template })
      const { channels, roles, welcome_channel_id, default_channel_id } = await call(viewGuild, {
        id: made.id,
      })
      const { groups, roles: wanted } = templates[template]
      expect(roles.map(({ name }) => name)).toEqual([...wanted.map(({ name }) => name['zh-CN']), '@全体成员'])
      expect(channels.map(({ name, channels: inside }) => [name, inside.map((it) => it.name)])).toEqual(
        groups.flatMap(({ category, channels: inside }) => {
          const names = inside.map(({ name }) => name['zh-CN'])
          return category ? [[category['zh-CN'], names]] : names.map((name) => [name, []])
        }),
      )
      expect(default_channel_id).toBe(welcome_channel_id)
      await call(sendToChannel, { id: default_channel_id, content: JSON.stringify({ content: '开张' }) })
    },
  )

  it('speaks the language of who makes it', async () => {
    const english = world.as('member', { language: 'en' })
    const made = await english.call(createGuild, { name: 'Team', template: 'game' })
    expect(
      (await world.as('member').call(viewGuild, { id: made.id })).roles.map(({ name }) => name),
    ).toContain('Leader')
  })

  it('is joined by its invite, and left again; its owner stays', async () => {
    const { id } = await world.as('member').call(createGuild, { name: '来来去去' })
    const { url_code } = await world.as('member').call(createInvite, { guild_id: id })
    await joinByInvite(world.app.appContext, world.people.admin.id, url_code)
    const names = async () => (await world.as('admin').call(listGuilds)).map((it) => it.name)
    expect(await names()).toContain('来来去去')
    expect(await world.as('member').refusal(leaveGuild, { guild_id: id })).toBe('guild.owner')
    await world.as('admin').call(leaveGuild, { guild_id: id })
    expect(await names()).not.toContain('来来去去')
    expect(await world.as('admin').refusal(leaveGuild, { guild_id: id })).toBe('guild.not_member')
    expect(await world.as('admin').refusal(leaveGuild, { guild_id: '3999999999999998' })).toBe(
      'guild.unknown',
    )
    expect(await world.as('owner').refusal(leaveGuild, { guild_id: demo })).toBe('guild.owner')
  })
})
