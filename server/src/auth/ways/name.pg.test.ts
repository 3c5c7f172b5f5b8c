import { login } from '@guildhall/wire/auth/login.ts'
import { sendMailCode, verifyMail } from '@guildhall/wire/auth/mail.ts'
import { nameLogin, registerName } from '@guildhall/wire/auth/name.ts'
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { createPrivate, updatePrivate } from '@guildhall/wire/chat/chat.ts'
import { requestFriend } from '@guildhall/wire/friend/friend.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { userList } from '@guildhall/wire/member/userList.ts'
import { addReaction, updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage } from '@guildhall/wire/message/message.ts'
import { staffLogin } from '@guildhall/wire/staff/session.ts'
import { me } from '@guildhall/wire/user/me.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newNetwork, refusalOf } from '../../testing/calls.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { findUser } from '../../user/user.ts'

let world: TestWorld
beforeAll(async () => {
  world = await openWorld({ REGISTRATION: 'invite' })
})
afterAll(() => world.close())

let people = 0
const newName = () => `新人${++people}`
const password = 'secret1'
async function newcomer(of = world, username = newName()) {
  const session = await of.as(null).call(registerName, { username, password, invite_code: of.invite })
  const name = `${session.user.username}#${session.user.identify_num}`
  return { session, name, ...of.as({ token: session.token }, { ip: newNetwork() }) }
}

describe('registering by an invite', () => {
  it('is refused without a name, a password, or an invite that can be used', async () => {
    const guest = world.as(null)
    const fits = { username: newName(), password, invite_code: world.invite }
    for (const [input, failure] of [
      [{ ...fits, username: ' ' }, 'user.name_required'],
      [{ ...fits, username: '两 个' }, 'user.name_wrong'],
      [{ ...fits, username: '官方客服' }, 'content.reserved'],
      [{ ...fits, password: '' }, 'auth.password_required'],
      [{ ...fits, password: 'short' }, 'auth.password_weak'],
      [{ ...fits, invite_code: 'NOSUCH' }, 'auth.invite_needed'],
    ] as const)
      expect(await guest.refusal(registerName, input), failure).toBe(failure)
    expect(await guest.refusal(registerName, { username: '甲', password })).toBe('bad_input')
  })

  it('is done thirty times an hour from a network without captchas', async () => {
    const plain = await openWorld({ REGISTRATION: 'invite', CAPTCHA: 'never' })
    const guest = plain.as(null, { ip: newNetwork() })
    const input = { password, invite_code: plain.invite }
    for (let made = 0; made < 30; made++) await guest.call(registerName, { ...input, username: newName() })
    expect(await guest.refusal(registerName, { ...input, username: newName() })).toBe('too_many')
    await plain.close()
  })

  it('gives the name digits, counts as verified where nothing else is on, and joins', async () => {
    const { session, call } = await newcomer()
    expect(session.user).toMatchObject({ mobile: '', mobile_prefix: '', mobile_verified: true })
    expect(session.user.identify_num).toMatch(/^\d{4}$/)
    expect(session.user).not.toHaveProperty('address')
    expect(await call(joinGuild, { id: world.invite })).toMatchObject({ guild_id: world.guildId })
  })
})

describe('logging in by a name', () => {
  it('is refused without digits, and the same for a wrong password and a name of nobody', async () => {
    const { name, session } = await newcomer()
    const guest = world.as(null)
    for (const without of ['', session.user.username, '#1234'])
      expect(await guest.refusal(nameLogin, { name: without, password })).toBe('auth.name_required')
    expect(await guest.refusal(nameLogin, { name, password: '' })).toBe('auth.password_required')
    expect(await guest.refusal(nameLogin, { name, password: 'secret2' })).toBe('auth.account_wrong')
    expect(await guest.refusal(nameLogin, { name: '没有这个人#1234', password })).toBe('auth.account_wrong')
  })

  it('ends after ten tries for a network, as it does for numbers', async () => {
    const { name } = await newcomer()
    const guest = world.as(null, { ip: newNetwork() })
    for (let tries = 0; tries < 10; tries++)
      expect(await guest.refusal(nameLogin, { name, password: 'secret2' })).toBe('auth.account_wrong')
    expect(await guest.refusal(nameLogin, { name, password })).toBe('auth.too_many_tries')
  })

  it('takes what people type, and who had a number logs in by their name too', async () => {
    const { name, session } = await newcomer()
    const typed = ` ${name.replace('#', '＃')} `
    expect((await world.as(null).call(nameLogin, { name: typed, password })).user.id).toBe(session.user.id)
    const { username, identify_num, password: own } = world.people.unverified
    const entered = await world
      .as(null)
      .call(nameLogin, { name: `${username}#${identify_num}`, password: own })
    expect(entered.user.mobile_verified).toBe(true)
  })
})

it('a forgotten password is reset by the operator, who finds the person by their name', async () => {
  const { name, session } = await newcomer()
  const [found] = await world.command<{ id: string; mobile: string }[]>('user', 'find', '--name', name)
  expect(found).toMatchObject({ id: session.user.id, mobile: '' })
  await world.command('user', 'password', '--user', session.user.id, '--password', 'another2')
  expect(await refusalOf(world.as({ token: session.token }).call(userState))).toBe('not_logged_in')
  expect(await world.as(null).refusal(nameLogin, { name, password: 'another2' })).toBe('none')
})

it('a password is changed with the old one, since there is nowhere to send a code', async () => {
  const { call, name } = await newcomer()
  const owner = { password: '', code: '123456' }
  expect(await refusalOf(call(updateSelf, { password: 'another2', owner }))).toBe('auth.code_expired')
  await call(updateSelf, { password: 'another2', owner: { password, code: '' } })
  expect(await world.as(null).refusal(nameLogin, { name, password: 'another2' })).toBe('none')
})

it('staff log in to the console by their name', async () => {
  const { username, identify_num } = world.people.staff
  const account = `${username}#${identify_num}`
  const wrong = { account, password: 'wrong-one1' }
  expect(await world.as(null).refusal(staffLogin, wrong)).toBe('auth.account_wrong')
  const right = { account, password: world.people.staff.password }
  expect(await world.as(null).refusal(staffLogin, right)).toBe('auth.second_factor_needed')
})

it('beside mail an account of an invite is not verified until it has an address', async () => {
  const both = await openWorld({ REGISTRATION: 'invite,email' })
  const { session, call, name } = await newcomer(both)
  expect(session.user.mobile_verified).toBe(false)
  const address = 'later@example.com'
  await call(sendMailCode, { address, type: 'verify' })
  const mailbox = await both.app.inject({ method: 'GET', url: `/dev/mailbox?address=${address}` })
  const { user } = await call(verifyMail, { address, code: JSON.parse(mailbox.text)[0].code })
  expect(user).toMatchObject({ mobile_verified: true, address: 'l***@example.com' })
  expect((await both.as(null).call(nameLogin, { name, password })).user.mobile_verified).toBe(true)
  expect(await both.as(null).refusal(login, { mobile: address, password })).toBe('auth.mobile_wrong')
  await both.close()
})

it('by invites alone who registered before and proved nothing counts as verified at once, for as long', async () => {
  const { id, username, identify_num } = world.people.unverified
  const { call, say } = world.as('unverified')
  expect((await call(userState)).user.mobile_verified).toBe(true)
  expect((await call(me)).mobile_verified).toBe(true)
  await say(world.main.id, '大家好')
  const styled = { type: 9, content: '**大家好**' }
  const said = await call(createMessage, { target_id: world.main.id, ...styled })
  await call(updateMessage, { msg_id: said.msg_id, content: '大家早' })
  await call(addReaction, { msg_id: said.msg_id, emoji: '👍' })
  const { username: friend, identify_num: digits } = world.people.owner
  await call(requestFriend, { user_code: `${friend}#${digits}` })
  const { msg_id } = await call(createPrivate, { target_id: world.idOf('owner'), ...styled })
  await call(updatePrivate, { msg_id, content: '您好' })
  await call(createGuild, { name: '新公会' })
  const { guildId: guild_id } = world
  const shown = expect.objectContaining({ id, username, identify_num, mobile_verified: true })
  expect((await call(userList, { guild_id, mobile_verified: 1 })).items).toContainEqual(shown)
  expect((await call(userList, { guild_id, mobile_verified: 0 })).items).toEqual([])
  expect(await call(viewUser, { user_id: id, guild_id })).toMatchObject({ mobile_verified: true })
  expect((await findUser(world.database.db, id))?.mobile_verified).toBe(false)
})
