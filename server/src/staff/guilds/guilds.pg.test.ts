import { login } from '@guildhall/wire/auth/login.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listPrivate } from '@guildhall/wire/chat/chat.ts'
import { GUILD_RESTORABLE_MS } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, UserId } from '@guildhall/wire/id.ts'
import {
  changeGuildOwner,
  FOUND_GUILDS_MAX,
  findGuildMembers,
  findGuilds,
  recommendGuild,
  staffViewGuild,
} from '@guildhall/wire/staff/guilds.ts'
import { listStaffLog } from '@guildhall/wire/staff/log.ts'
import { closeGuild, restoreGuild } from '@guildhall/wire/staff/staff.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { transaction } from '../../kit/database/db.ts'
import { refusalOf } from '../../testing/calls.ts'
import { openConnection } from '../../testing/connection.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { officialAccount } from '../../user/user.ts'

let world: TestWorld
let port: number
let guild_id: GuildId
beforeAll(async () => {
  world = await openWorld()
  port = Number(new URL(await world.app.listen()).port)
  guild_id = world.main.guild_id
  await world.tokenOf('staff')
})
afterAll(() => world.close())

const acts = async () =>
  (await world.as('staff').call(listStaffLog, { kind: 'act' })).items.filter(
    ({ target }) => target === guild_id,
  )
/** What the official account wrote to somebody, the last first. */
async function received(name: PersonName): Promise<string[]> {
  const official = await transaction(world.database.db, (tx) => officialAccount(tx))
  const { items } = await world.as(name).call(listPrivate, { target_id: official.id })
  return items.map(({ content }) => content).reverse()
}
const ask = (user_id: UserId | string, reason = '会长失联') =>
  world.as('staff').call(changeGuildOwner, { guild_id, user_id, reason })
/** Asks, and has it approved by the operator. */
const give = async (user_id: UserId | string, reason?: string) => {
  const { approval_id } = await ask(user_id, reason)
  await world.command(`staff approve --id ${approval_id}`)
}

describe('a search for guilds', () => {
  it('is refused without anything to look for, and finds nothing by what no guild has', async () => {
    expect(await world.as('staff').refusal(findGuilds, {})).toBe('bad_input')
    expect(await world.as('staff').refusal(findGuilds, { name: ' ' })).toBe('bad_input')
    for (const query of [{ guild_id: '1' }, { custom_id: 'nobody' }, { owner_id: '1' }, { name: '%' }])
      expect(await world.as('staff').call(findGuilds, query)).toEqual({ items: [], has_more: false })
    expect(await world.as('staff').refusal(staffViewGuild, { guild_id: '1' })).toBe('guild.unknown')
    expect(await world.as('staff').refusal(findGuildMembers, { guild_id: '1', search: 'a' })).toBe(
      'guild.unknown',
    )
  })

  it('finds them by id, own address, owner and how the name begins, page by page', async () => {
    await sql`update guild set custom_id = 'Night' where id = ${guild_id}`.execute(world.database.db)
    const { name } = await world.as('staff').call(staffViewGuild, { guild_id })
    for (const query of [
      { guild_id },
      { custom_id: 'nIGHT' },
      { owner_id: world.idOf('owner') },
      { name: name.slice(0, 2) },
    ])
      expect((await world.as('staff').call(findGuilds, query)).items).toContainEqual(
        expect.objectContaining({
          id: guild_id,
          state: 'open',
          custom_id: 'Night',
          owner: expect.objectContaining({ id: world.idOf('owner'), username: world.people.owner.username }),
        }),
      )
    for (let n = 0; n < FOUND_GUILDS_MAX + 2; n += 1)
      await sql`insert into guild (name, user_id, created_at)
        values (${`${n % 2 ? 'Page' : 'pAGE'} ${String(n).padStart(2, '0')}`}, ${world.idOf('muted')}, 1)`.execute(
        world.database.db,
      )
    for (const query of [{ name: 'page' }, { owner_id: world.idOf('muted') }]) {
      const first = await world.as('staff').call(findGuilds, query)
      expect([first.items.length, first.has_more]).toEqual([FOUND_GUILDS_MAX, true])
      const second = await world.as('staff').call(findGuilds, { ...query, after: first.items.at(-1)?.id })
      expect([second.items.length, second.has_more]).toEqual([2, false])
      const names = [...first.items, ...second.items].map((it) => it.name.toLowerCase())
      expect(new Set(names).size).toBe(FOUND_GUILDS_MAX + 2)
    }
  })
})

describe('a guild', () => {
  it('is shown with its owner, numbers, packs in use and revisions', async () => {
    await world.command(`boost give --user ${world.idOf('member')} --count 3`)
    const now = Date.now()
    await sql`insert into boost_use (guild_id, user_id, pack_id, count, start_at, end_at)
      select ${guild_id}, user_id, id, 2, ${now}, ${now + 5_000_000} from boost_pack
      where user_id = ${world.idOf('member')} order by id desc limit 1`.execute(world.database.db)
    await sql`insert into guild_revision (guild_id, user_id, name, icon, description, banner, status, reason, created_at)
      values (${guild_id}, ${world.idOf('owner')}, '新名', '', '', '', 2, '图片不清晰', 7)`.execute(
      world.database.db,
    )
    const it = await world.as('staff').call(staffViewGuild, { guild_id })
    expect(it).toMatchObject({
      id: guild_id,
      members: expect.any(Number),
      gone_at: 0,
      restorable_until: 0,
      state: 'open',
      rights: { max_members: expect.any(Number), guild_banner: expect.any(Boolean) },
    })
    expect(it.members).toBeGreaterThan(3)
    expect(it.channels).toBeGreaterThan(3)
    expect(it.boosts).toContainEqual(
      expect.objectContaining({
        user: expect.objectContaining({ id: world.idOf('member') }),
        count: 2,
        end_at: now + 5_000_000,
      }),
    )
    expect(it.revisions[0]).toMatchObject({ name: '新名', status: 2, reason: '图片不清晰', decided_at: 0 })
  })

  it('shows its members by name and by id, without bots', async () => {
    const search = async (text: string) =>
      (await world.as('staff').call(findGuildMembers, { guild_id, search: text })).items.map(({ id }) => id)
    expect(await search(world.people.member.username)).toContain(world.idOf('member'))
    expect(await search(world.idOf('admin'))).toEqual([world.idOf('admin')])
    expect(await search(world.idOf('outsider'))).toEqual([])
  })
})

describe('another owner', () => {
  it('is no outsider, not the owner, nobody of staff, not who acts, and needs a reason', async () => {
    expect(await refusalOf(give(world.idOf('admin'), ''))).toBe('bad_input')
    expect(await refusalOf(give(world.idOf('outsider')))).toBe('guild.not_member')
    expect(await refusalOf(give('1'))).toBe('guild.not_member')
    expect(await refusalOf(give(world.idOf('owner')))).toBe('staff.owner_already')
    expect(await refusalOf(give(world.idOf('staff')))).toBe('staff.own_guild')
    await world.command(`staff grant --user ${world.idOf('admin')} --right review`)
    expect(await refusalOf(give(world.idOf('admin')))).toBe('forbidden')
    await world.command(`staff revoke --user ${world.idOf('admin')} --right review`)
    await world.command(`staff grant --user ${world.idOf('owner')} --right review`)
    expect(await refusalOf(give(world.idOf('admin')))).toBe('forbidden')
    await world.command(`staff revoke --user ${world.idOf('owner')} --right review`)
    const nowhere = { guild_id: '1', user_id: world.idOf('admin'), reason: '无' }
    expect(await world.as('staff').refusal(changeGuildOwner, nowhere)).toBe('guild.unknown')
    expect((await world.as('staff').call(staffViewGuild, { guild_id })).owner.id).toBe(world.idOf('owner'))
  })

  it('is refused who owns as many guilds as a person may', async () => {
    expect(await refusalOf(give(world.idOf('muted')))).toBe('guild.owns_too_many')
  })

  it('owns all of it at once; who owned it stays a member, and both pages and people are told', async () => {
    const connect = async (name: PersonName) => {
      const { mobile, password } = world.people[name]
      const { token } = await world.as(null).call(login, { mobile, password })
      const { gateway_url } = await world.as({ token }).call(userState)
      return openConnection(gateway_url, port)
    }
    const connections = [await connect('member'), await connect('owner')]
    await give(world.idOf('member'), '原会长申请转让')
    for (const connection of connections) {
      const { d } = await connection.next((frame) => frame.d?.extra?.type === 'updated_guild')
      expect(d.extra?.body).toMatchObject({ id: guild_id, user_id: world.idOf('member') })
    }
    const seen = async (name: PersonName) => {
      const guild = await world.as(name).call(viewGuild, { id: guild_id })
      return { is_master: guild.is_master, sees: JSON.stringify(guild.channels).includes(world.backstage.id) }
    }
    expect(await seen('member')).toEqual({ is_master: true, sees: true })
    expect((await seen('owner')).is_master).toBe(false)
    expect((await received('member'))[0]).toContain('你已成为公会')
    expect((await received('owner'))[0]).toContain('原会长申请转让')
    expect((await acts())[0]).toMatchObject({
      name: 'guild owner',
      user_id: world.idOf('member'),
      detail: { reason: '原会长申请转让', before: world.idOf('owner'), after: world.idOf('member') },
    })
    for (const connection of connections) connection.close()
  })

  it('is changed once when two do it at once', async () => {
    const asked = [await ask(world.idOf('owner'), '一'), await ask(world.idOf('owner'), '二')]
    const both = asked.map(({ approval_id }) => refusalOf(world.command(`staff approve --id ${approval_id}`)))
    expect((await Promise.all(both)).sort()).toEqual(['none', 'staff.owner_already'])
    expect(
      await world.command(`guild owner --guild ${guild_id} --user ${world.idOf('admin')}`),
    ).toMatchObject({
      user_id: world.idOf('admin'),
    })
    await world.command(`guild owner --guild ${guild_id} --user ${world.idOf('owner')}`)
  })
})

describe('recommending a guild', () => {
  it('is refused without a reason and for a guild that is not there', async () => {
    expect(await world.as('staff').refusal(recommendGuild, { guild_id, on: true })).toBe('bad_input')
    expect(await world.as('staff').refusal(recommendGuild, { guild_id: '1', on: true, reason: '优质' })).toBe(
      'guild.unknown',
    )
  })

  it('is written down and told once, and taken back with its reason', async () => {
    const recommended = async () => (await world.as('staff').call(staffViewGuild, { guild_id })).recommended
    if (await recommended())
      await world.as('staff').call(recommendGuild, { guild_id, on: false, reason: '从头来' })
    await world.as('staff').call(recommendGuild, { guild_id, on: true, reason: '优质公会' })
    await world.as('staff').call(recommendGuild, { guild_id, on: true, reason: '优质公会' })
    expect(await recommended()).toBe(true)
    const names = (await acts()).map(({ name }) => name)
    expect(names[0]).toBe('guild recommend')
    expect(names[1]).not.toBe('guild recommend')
    expect((await received('owner'))[0]).toContain('已被推荐')
    await world.as('staff').call(recommendGuild, { guild_id, on: false, reason: '长期不活跃' })
    expect(await recommended()).toBe(false)
    expect((await received('owner'))[0]).toContain('长期不活跃')
  })
})

describe('closing a guild', () => {
  it('needs a reason, says until when it can be restored, and tells the owner of both', async () => {
    expect(await world.as('staff').refusal(closeGuild, { guild_id })).toBe('bad_input')
    await world.as('staff').call(closeGuild, { guild_id, reason: '违规内容' })
    const it = await world.as('staff').call(staffViewGuild, { guild_id })
    expect(it).toMatchObject({ state: 'closed', restorable_until: it.gone_at + GUILD_RESTORABLE_MS })
    expect((await received('owner'))[0]).toContain('违规内容')
    expect(await refusalOf(give(world.idOf('member')))).toBe('guild.unknown')
    expect(await world.as('staff').refusal(findGuildMembers, { guild_id, search: 'a' })).toBe('guild.unknown')
    expect((await world.as('staff').call(findGuilds, { guild_id })).items[0]?.state).toBe('closed')
    const twice = [1, 2].map(() => world.as('staff').call(restoreGuild, { guild_id, reason: '申诉通过' }))
    expect((await Promise.all(twice.map(refusalOf))).sort()).toEqual(['guild.not_closed', 'none'])
    expect((await received('owner'))[0]).toContain('已恢复')
    expect((await acts()).slice(0, 2)).toMatchObject([
      { name: 'guild restore', detail: { reason: '申诉通过' } },
      { name: 'guild close', detail: { reason: '违规内容', until: it.restorable_until } },
    ])
  })
})
