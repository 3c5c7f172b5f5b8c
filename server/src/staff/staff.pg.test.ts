import { login, verifyCodeLogin } from '@guildhall/wire/auth/login.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { createPrivate, listPrivate } from '@guildhall/wire/chat/chat.ts'
import { GUILD_RESTORABLE_MS, listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { findPeople } from '@guildhall/wire/staff/people.ts'
import * as staff from '@guildhall/wire/staff/staff.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { refusalOf } from '../testing/calls.ts'
import { openConnection, type TestConnection } from '../testing/connection.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let port: number
let guild: GuildId
beforeAll(async () => {
  world = await openWorld()
  port = Number(new URL(await world.app.listen()).port)
  guild = world.main.guild_id
  // The console is logged in to with the role; from here on rights are granted one by one.
  await world.tokenOf('staff')
  await world.command(`staff role --user ${world.idOf('staff')} --role none`)
})
afterAll(() => world.close())

async function connected(token: string): Promise<TestConnection> {
  const { gateway_url } = await world.as({ token }).call(userState)
  return openConnection(gateway_url, port)
}
const logged = async (kind: string) => {
  const { rows } = await sql<{ actor: string; user_id: string | null; target: string }>`
    select actor, user_id, target from security_event where kind = ${kind} order by id desc limit 1`.execute(
    world.database.db,
  )
  return rows[0]
}

describe('staff', () => {
  beforeEach(async () => {
    for (const right of ['people', 'content', 'guild'])
      await world.command(`staff grant --user ${world.idOf('staff')} --right ${right}`)
  })

  it('do not act on staff, and operators do', async () => {
    await world.command(`staff grant --user ${world.idOf('admin')} --right review`)
    expect(
      await world
        .as('staff')
        .refusal(staff.suspendUser, { user_id: world.idOf('admin'), until: 0, reason: '测试' }),
    ).toBe('forbidden')
    expect(await world.command(`user suspend --user ${world.idOf('admin')}`)).toMatchObject({
      state: 'suspended',
    })
    await world.command(`user restore --user ${world.idOf('admin')}`)
    await world.command(`staff revoke --user ${world.idOf('admin')} --right review`)
    expect(await world.command('staff list')).toEqual([expect.objectContaining({ id: world.idOf('staff') })])
  })

  it('find people by id, number and name, and see no whole number', async () => {
    const { id, mobile, username, identify_num } = world.people.member
    const name = `${username}#${identify_num}`
    for (const query of [{ user_id: id }, { mobile }, { name }, { name: username }]) {
      const { items } = await world.as('staff').call(findPeople, query)
      expect(items).toEqual([
        expect.objectContaining({ id, state: 'active', mobile: `*******${mobile.slice(-4)}`, bot: false }),
      ])
    }
    expect((await world.as('staff').call(findPeople, { user_id: '1' })).items).toEqual([])
    expect(await world.as('staff').refusal(findPeople, {})).toBe('bad_input')
    expect(await world.command(`user find --name ${name}`)).toMatchObject([{ id }])
    await expect(world.command('user find')).rejects.toThrow('needs --user')
  })

  it('suspend a person: connections close, the token and the login are refused, until restored', async () => {
    const token = await world.login('member')
    const connection = await connected(token)
    await world
      .as('staff')
      .call(staff.suspendUser, { user_id: world.idOf('member'), until: 0, reason: '测试' })
    expect(await connection.closed).toBe(4001)
    expect(await refusalOf(world.login('member'))).toBe('auth.banned')
    await expect.poll(() => world.as({ token }).refusal(me)).toBe('not_logged_in')
    expect(await logged('user suspend')).toMatchObject({
      actor: world.idOf('staff'),
      user_id: world.idOf('member'),
    })
    await world.as('staff').call(staff.restoreUser, { user_id: world.idOf('member'), reason: '测试' })
    expect(await world.as({ token }).refusal(me)).toBe('not_logged_in')
    await world.login('member')
  })

  it('sign a person out everywhere, also by command', async () => {
    for (const act of [
      () => world.as('staff').call(staff.signOutUser, { user_id: world.idOf('member'), reason: '测试' }),
      () => world.command(`user signout --user ${world.idOf('member')}`),
    ]) {
      const connections = [
        await connected(await world.login('member')),
        await connected(await world.login('member')),
      ]
      await act()
      expect(await Promise.all(connections.map(({ closed }) => closed))).toEqual([4001, 4001])
    }
    expect(await logged('user signout')).toMatchObject({ actor: 'operator' })
  })

  it('replace and remove a password', async () => {
    const { mobile, password } = world.people.member
    const enterWith = (given: string) => world.as(null).refusal(login, { mobile, password: given })
    const weak = 'no digits'
    expect(
      await world.as('staff').refusal(staff.resetPassword, { user_id: world.idOf('member'), password: weak }),
    ).toBe('auth.password_weak')
    await expect(
      world.command(`user password --user ${world.idOf('member')} --password nodigits`),
    ).rejects.toThrow('with letters and numbers')
    const connection = await connected(await world.login('member'))
    await world
      .as('staff')
      .call(staff.resetPassword, { user_id: world.idOf('member'), password: 'another-1' })
    expect(await connection.closed).toBe(4001)
    expect(await enterWith(password)).toBe('auth.password_wrong')
    expect(await enterWith('another-1')).toBe('none')
    await world.command(`user password --user ${world.idOf('member')}`)
    expect(await enterWith('another-1')).toBe('auth.password_wrong')
    await world.command(`user password --user ${world.idOf('member')} --password ${password}`)
    expect(await enterWith(password)).toBe('none')
  })

  it('delete a message of a channel and of a private conversation, and those who see it hear of it', async () => {
    const reader = await connected(await world.login('admin'))
    const { msgId: msg_id } = await world.as({ token: await world.login('member') }).call(sendToChannel, {
      id: world.main.id,
      content: '骂人的话',
      nonce: 'bad-words',
    })
    await world.as('staff').call(staff.removeMessage, { msg_id })
    const { d } = await reader.next(({ d }) => d?.extra?.type === 'deleted_message')
    expect(d.extra?.body).toMatchObject({ msg_id, channel_id: world.main.id })
    const items = await world.as('admin').call(history, { id: world.main.id })
    expect(items.map((each) => each.id)).not.toContain(msg_id)
    const secret = await world.as({ token: await world.login('member') }).call(createPrivate, {
      target_id: world.idOf('admin'),
      content: '私下骂人',
    })
    await world.command(`message delete --message ${secret.msg_id} --yes`)
    await reader.next(({ d }) => d?.extra?.type === 'deleted_private_message')
    expect((await world.as('admin').call(listPrivate, { target_id: world.idOf('member') })).items).toEqual([])
    const nobody = '00000000-0000-7000-8000-000000000000'
    expect(await world.as('staff').refusal(staff.removeMessage, { msg_id: nobody })).toBe('message.unknown')
    reader.close()
  })

  it('delete a file, whoever sent it', async () => {
    const key = 'assets/2026-11/abcdefgh12.txt'
    await sql`insert into asset (key, user_id, kind, mime, name, size, sha256, created_at)
      values (${key}, ${world.idOf('member')}, 'file', 'text/plain', 'x', 1, '\\x00', 1)`.execute(
      world.database.db,
    )
    await world.as('staff').call(staff.removeAsset, { url: `http://anywhere/${key}` })
    expect((await world.app.inject({ method: 'GET', url: `/${key}` })).status).toBe(404)
    expect(await world.as('staff').refusal(staff.removeAsset, { url: key })).toBe('asset.unknown')
    await expect(world.command(`asset delete --key ${key} --yes`)).rejects.toThrow('asset.unknown')
  })

  it('remove a member, but not the owner', async () => {
    const target = { guild_id: guild, user_id: world.idOf('muted') }
    const token = await world.login('muted')
    const connection = await connected(token)
    await world.as('staff').call(staff.removeMember, target)
    await connection.next(({ d }) => d?.extra?.type === 'self_exited_guild')
    expect(await world.as({ token }).refusal(viewGuild, { id: guild })).toBe('forbidden')
    expect(await world.as('staff').refusal(staff.removeMember, target)).toBe('guild.not_member')
    expect(
      await world.as('staff').refusal(staff.removeMember, { ...target, user_id: world.idOf('owner') }),
    ).toBe('guild.owner')
    connection.close()
  })

  it('revoke an invite', async () => {
    const { code } = await world.command(`invite create --guild ${guild}`)
    await world.as('staff').call(staff.revokeInvite, { code })
    expect(await world.as('outsider').refusal(joinGuild, { id: code })).toBe('invite.invalid')
    expect(await world.as('staff').refusal(staff.revokeInvite, { code })).toBe('invite.invalid')
  })

  it('close a guild: it is gone for its people and its invites, until it is restored as it was', async () => {
    const { id } = await world.command(`guild create --name 要关的公会 --owner ${world.idOf('owner')}`)
    const room = await world.command(`channel create --guild ${id} --name 聊 --type text`)
    const { code } = await world.command(`invite create --guild ${id}`)
    const token = await world.login('member')
    const call = world.as({ token }).call
    await call(joinGuild, { id: code })
    const connection = await connected(token)
    const send = (nonce: string) => call(sendToChannel, { id: room.id, content: '有人吗', nonce })
    await send('before')

    await expect(world.command(`guild close --guild ${id}`)).rejects.toThrow('gone for everybody')
    await world.as('staff').call(staff.closeGuild, { guild_id: id, reason: '测试' })
    await connection.next(({ d }) => d?.extra?.type === 'deleted_guild' && d.target_id === id)
    const seen = async () => (await call(listGuilds)).map((each) => each.id)
    expect(await seen()).not.toContain(id)
    expect(await refusalOf(send('after'))).toBe('forbidden')
    expect(await refusalOf(call(viewGuild, { id }))).toBe('forbidden')
    expect(await refusalOf(call(history, { id: room.id }))).toBe('forbidden')
    expect(await refusalOf(call(viewInvite, { id: code }))).toBe('invite.invalid')
    expect(await refusalOf(call(joinGuild, { id: code }))).toBe('invite.invalid')
    expect(await world.as('staff').refusal(staff.closeGuild, { guild_id: id, reason: '测试' })).toBe(
      'guild.unknown',
    )
    await expect(world.command(`invite create --guild ${id}`)).rejects.toThrow('no guild')

    const late = await connected(await world.login('member'))
    await world.command(`guild restore --guild ${id}`)
    for (const each of [connection, late]) await each.next(({ d }) => d?.extra?.type === 'self_joined_guild')
    expect(await seen()).toContain(id)
    // The gateway subscribes to the guild after the event, so the first message may come too early.
    const heard = late.next(({ d }) => d?.content === '有人吗').then(() => true)
    for (let count = 0; !(await Promise.race([heard, false])); count++) await send(`again-${count}`)
    expect(await world.as('staff').refusal(staff.restoreGuild, { guild_id: id, reason: '测试' })).toBe(
      'guild.not_closed',
    )
    connection.close()
    late.close()
  })

  it('restore a guild within thirty days only', async () => {
    const { id } = await world.command(`guild create --name 旧公会 --owner ${world.idOf('owner')}`)
    await world.as('staff').call(staff.closeGuild, { guild_id: id, reason: '测试' })
    const undo = replaceClock(() => Date.now() + GUILD_RESTORABLE_MS + 1)
    // An operator: the session of the console is over by then.
    await expect(world.command(`guild restore --guild ${id}`).finally(undo)).rejects.toMatchObject({
      failure: 'guild.not_closed',
    })
    await world.as('staff').call(staff.restoreGuild, { guild_id: id, reason: '测试' })
  })
})

describe('an account that staff delete', () => {
  it('is refused while it owns guilds, and without --yes', async () => {
    expect(await world.as('staff').refusal(staff.deleteUser, { user_id: world.idOf('owner') })).toBe(
      'user.owns_guilds',
    )
    await expect(world.command(`user delete --user ${world.idOf('admin')}`)).rejects.toThrow(
      'is deleted for good. Their messages stay. Add --yes to do it.',
    )
    await expect(world.command('user delete --user 9 --yes')).rejects.toThrow('user.unknown')
    expect(await world.as('staff').refusal(staff.deleteUser, { user_id: '9' })).toBe('user.unknown')
  })

  it('loses its name, its number, its guilds and its connections; with --words its words', async () => {
    const { id, mobile, username } = world.people.admin
    const token = await world.login('admin')
    const [connection, reader] = [await connected(token), await connected(await world.login('member'))]
    const { msgId: msg_id } = await world.as({ token }).call(sendToChannel, {
      id: world.main.id,
      content: '我的话',
      nonce: 'mine',
    })
    await world.as('staff').call(staff.deleteUser, { user_id: id })
    expect(await connection.closed).toBe(4001)
    const { d } = await reader.next(({ d }) => d?.extra?.type === 'exited_guild')
    expect(d.extra?.body).toMatchObject({ user_id: id })
    expect((await world.as('staff').call(findPeople, { mobile })).items).toEqual([])
    expect((await world.as('staff').call(findPeople, { name: username })).items).toEqual([])
    expect(await world.command(`user find --user ${id}`)).toMatchObject([
      { state: 'deleted', username: '已注销用户', mobile: '', guilds: [], sessions: [] },
    ])
    const messages = async () =>
      world.as({ token: await world.login('member') }).call(history, { id: world.main.id })
    expect((await messages()).find((each) => each.id === msg_id)?.author).toMatchObject({
      username: '已注销用户',
      avatar: expect.stringMatching(/\/avatars\/\d\/[^/]+\.svg$/),
    })
    const left = await world.command(`user delete --user ${id} --words --yes`)
    expect(left.messages_deleted).toBeGreaterThan(0)
    await reader.next(
      ({ d }) =>
        d?.extra?.type === 'deleted_message' && (d.extra.body as { msg_id: string }).msg_id === msg_id,
    )
    expect((await messages()).map((each) => each.author.id)).not.toContain(id)
    reader.close()
    // The number belongs to nobody: a code opens a new account.
    await world.app.inject({
      method: 'POST',
      url: '/api/v2/auth/phone-verification',
      payload: JSON.stringify({ mobile }),
    })
    const outbox = await world.app.inject({ method: 'GET', url: `/dev/outbox?mobile=${mobile}` })
    const { code } = JSON.parse(outbox.text)[0]
    const { user } = await world.as(null).call(verifyCodeLogin, { mobile, code })
    expect(user.id).not.toBe(id)
  })
})

it('a status changed by hand in the database closes connections within seconds', async () => {
  const connection = await connected(await world.login('member'))
  await sql`update "user" set status = 10 where id = ${world.idOf('member')}`.execute(world.database.db)
  expect(await connection.closed).toBe(4001)
  await sql`update "user" set status = 0 where id = ${world.idOf('member')}`.execute(world.database.db)
})
