/**
 * Compatibility with a published bot library: kasumi.js, run unchanged but for its endpoint. protocol.md §4.1
 * to §4.6.
 */
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'

interface Answer<T> {
  /** Its text begins with the code. */
  readonly err?: Error
  readonly data?: T
}
type Pages<T> = AsyncGenerator<Answer<{ readonly items: readonly T[] }>>
interface Channel {
  readonly id: string
  readonly name: string
  readonly parent_id: string
  readonly slow_mode: number
}
interface Role {
  readonly role_id: number
  readonly name: string
  readonly color: number
  readonly hoist: number
}
interface Overwrites {
  readonly permission_overwrites: readonly { readonly role_id: number; readonly allow: number }[]
}

/** The calls of the library that are tested. */
interface Api {
  readonly rest: { post<T>(path: string, body: object): Promise<Answer<T>> }
  readonly guild: {
    list(): Pages<{ readonly id: string }>
    userList(it: {
      guildId: string
      roleId?: string
      search?: string
    }): AsyncGenerator<
      Answer<{ readonly items: readonly { readonly id: string }[]; readonly user_count: number }>
    >
    view(
      guildId: string,
    ): Promise<Answer<{ readonly roles: readonly Role[]; readonly channels: readonly Channel[] }>>
    readonly role: {
      list(guildId: string): Pages<Role>
      create(guildId: string, name?: string): Promise<Answer<Role>>
      update(guildId: string, roleId: string, change: object): Promise<Answer<Role>>
      delete(guildId: string, roleId: string): Promise<Answer<unknown>>
      grant(guildId: string, roleId: string, userId: string): Promise<Answer<{ readonly roles: number[] }>>
      revoke(guildId: string, roleId: string, userId: string): Promise<Answer<{ readonly roles: number[] }>>
    }
  }
  readonly channel: {
    list(guildId: string, type: 'text' | 'voice'): Pages<Channel>
    view(channelId: string): Promise<Answer<Channel>>
    createTextChannel(guildId: string, name: string, parentId?: string): Promise<Answer<Channel>>
    createVoiceChannel(
      guildId: string,
      name: string,
      limit: number,
      quality: string,
    ): Promise<Answer<Channel>>
    createCategory(guildId: string, name: string): Promise<Answer<Channel>>
    update(id: string, name?: string, topic?: string, slowMode?: number): Promise<Answer<Channel>>
    delete(channelId: string): Promise<Answer<unknown>>
    voiceChannelUserList(channelId: string): Promise<Answer<unknown[]>>
    readonly permission: {
      list(channelId: string): Promise<Answer<Overwrites>>
      createRole(channelId: string, roleId: string): Promise<Answer<{ readonly role_id: number }>>
      createUser(channelId: string, userId: string): Promise<Answer<{ readonly user_id: string }>>
      updateRole(channelId: string, roleId: string, allow?: number, deny?: number): Promise<Answer<unknown>>
      deleteRole(channelId: string, roleId: string): Promise<Answer<unknown>>
    }
  }
}

const { default: Kasumi } = createRequire(import.meta.url)('kasumi.js') as {
  readonly default: new (config: object, fromEnv: boolean, fromFile: boolean) => { readonly API: Api }
}

let server: TestServer
let api: Api
let weak: Api
let guild: string
beforeAll(async () => {
  server = await openTestServer()
  guild = server.guildId
  const open = async (more: string) => {
    const { token } = await server.command<{ token: string }>(`bot create ${more} --guild ${guild}`)
    const config = { type: 'websocket', token, customEnpoint: `${server.url}/api/v3` }
    return new Kasumi(config, false, false).API
  }
  api = await open('--name 管事 --permissions 1')
  weak = await open('--name 闲人')
})
afterAll(() => server?.close())

const data = async <T>(asked: Promise<Answer<T>>): Promise<T> => {
  const { err, data } = await asked
  if (err || data === undefined) throw err ?? new Error('no answer')
  return data
}
async function all<T>(pages: Pages<T>): Promise<T[]> {
  const found: T[] = []
  for await (const { err, data } of pages) {
    if (err || !data) throw err ?? new Error('no answer')
    found.push(...data.items)
  }
  return found
}

describe('kasumi.js', () => {
  it('is refused without the right to manage roles and channels', async () => {
    for await (const { err } of weak.guild.role.list(guild)) expect(err?.message).toMatch(/^403 /)
    expect((await weak.guild.role.create(guild)).err?.message).toMatch(/^403 /)
    expect((await weak.channel.createTextChannel(guild, 'x')).err?.message).toMatch(/^40300 /)
    expect((await weak.channel.permission.list(server.channel('闲聊'))).err?.message).toMatch(/^403 /)
  })

  it('lists members, all of them, by name and by role', async () => {
    const ids = async (more: object) => {
      const found: string[] = []
      for await (const { err, data } of api.guild.userList({ guildId: guild, ...more })) {
        if (err || !data) throw err ?? new Error('no answer')
        expect(data.user_count).toBeGreaterThan(5)
        found.push(...data.items.map(({ id }) => id))
      }
      return found
    }
    const everybody = await ids({})
    expect(everybody).toEqual(expect.arrayContaining([server.person('owner').id, server.person('member').id]))
    expect(await ids({ search: server.person('member').username })).toEqual([server.person('member').id])
    const [admins] = (await all(api.guild.role.list(guild))).filter(({ name }) => name === '管理员')
    expect(await ids({ roleId: String(admins!.role_id) })).toEqual([server.person('admin').id])
  })

  it('lists guilds, roles and channels, and views a guild', async () => {
    expect((await all(api.guild.list())).map(({ id }) => id)).toEqual([guild])
    const roles = await all(api.guild.role.list(guild))
    const texts = await all(api.channel.list(guild, 'text'))
    expect(texts.map(({ name }) => name)).toContain('闲聊')
    const view = await data(api.guild.view(guild))
    expect(view.roles).toEqual(roles)
    expect(view.channels.map(({ id }) => id)).toEqual(expect.arrayContaining(texts.map(({ id }) => id)))
  })

  it('creates, changes, grants, revokes and deletes a role', async () => {
    const { role_id } = await data(api.guild.role.create(guild, '领航'))
    const id = String(role_id)
    const changed = await data(api.guild.role.update(guild, id, { color: 255, hoist: true }))
    expect(changed).toMatchObject({ name: '领航', color: 255, hoist: 1 })
    const member = server.person('unverified').id
    // Its own role was created before this one, so this one is below it, and so is the member.
    expect((await data(api.guild.role.grant(guild, id, member))).roles).toEqual([role_id])
    expect((await data(api.guild.role.revoke(guild, id, member))).roles).toEqual([])
    await data(api.guild.role.delete(guild, id))
    expect((await all(api.guild.role.list(guild))).map((it) => it.role_id)).not.toContain(role_id)
  })

  it('creates, changes, moves and deletes channels, and sets their overwrites', async () => {
    const category = await data(api.channel.createCategory(guild, '新分组'))
    const text = await data(api.channel.createTextChannel(guild, '新频道', category.id))
    expect(text.parent_id).toBe(category.id)
    const voice = await data(api.channel.createVoiceChannel(guild, '语音', 5, 'HQ'))
    expect(await data(api.channel.voiceChannelUserList(voice.id))).toEqual([])
    const changed = await data(api.channel.update(text.id, '改名', '话题', 5000))
    expect(changed).toMatchObject({ name: '改名', slow_mode: 5000 })
    const moved = await data(
      api.rest.post<Channel>('/channel/update', { channel_id: text.id, parent_id: '0', level: 1 }),
    )
    expect(moved.parent_id).toBe('')
    expect((await data(api.channel.view(text.id))).name).toBe('改名')

    const { permission } = api.channel
    expect((await data(permission.createRole(text.id, '0'))).role_id).toBe(0)
    await data(permission.updateRole(text.id, '0', 0, 4096))
    expect((await data(permission.list(text.id))).permission_overwrites).toMatchObject([
      { role_id: 0, allow: 0 },
    ])
    const { user_id } = await data(permission.createUser(text.id, server.person('unverified').id))
    expect(user_id).toBe(server.person('unverified').id)
    await data(permission.deleteRole(text.id, '0'))
    for (const { id } of [text, voice, category]) await data(api.channel.delete(id))
    expect((await api.channel.view(text.id)).err?.message).toMatch(/^403 /)
  })
})
