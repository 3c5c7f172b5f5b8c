import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild, viewInvite } from '@guildhall/wire/invite/invite.ts'
import { createInvite, deleteInvite, listInvites, listInvitesV2 } from '@guildhall/wire/invite/manage.ts'
import { DEFAULT_EVERYONE, permission } from '@guildhall/wire/permission/permission.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { replaceClock } from '../kit/clock.ts'
import { commit } from '../kit/events/events.ts'
import { updateRole } from '../role/role.ts'
import { refusalOf } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let demo: GuildId
beforeAll(async () => {
  world = await openWorld()
  demo = world.guilds[0]?.id as GuildId
})
afterAll(() => world.close())

describe('an invite is not created', () => {
  it('by a guest or a person who is no member', async () => {
    expect(await world.as(null).refusal(createInvite, { guild_id: demo })).toBe('not_logged_in')
    expect(await world.as('outsider').refusal(createInvite, { guild_id: demo })).toBe('forbidden')
    expect(await world.as('outsider').refusal(listInvites, { guild_id: demo })).toBe('forbidden')
    expect(await world.as('outsider').refusal(createInvite, { channel_id: world.main.id })).toBe('forbidden')
  })

  it('to a channel that the member may not view, nor to none at all', async () => {
    const call = world.as('member').call
    expect(await refusalOf(call(createInvite, { channel_id: world.backstage.id }))).toBe('forbidden')
    expect(await refusalOf(call(listInvites, { channel_id: world.backstage.id }))).toBe('forbidden')
    expect(await refusalOf(call(createInvite, {}))).toBe('bad_input')
  })

  it('for another time or number than those of the list', async () => {
    const call = world.as('member').call
    for (const odd of [{ duration: 60 }, { duration: -1 }, { setting_times: 0 }, { setting_times: 7 }])
      expect(await refusalOf(call(createInvite, { guild_id: demo, ...odd }))).toBe('bad_input')
  })

  it('without the right to create invites', async () => {
    const { appContext } = world.app
    const without = DEFAULT_EVERYONE & ~permission.create_invite
    await commit(appContext, (tx, emit) => updateRole(tx, emit, demo, 0, { permissions: without }))
    expect(await world.as('member').refusal(createInvite, { guild_id: demo })).toBe('invite.no_right')
    await commit(appContext, (tx, emit) => updateRole(tx, emit, demo, 0, { permissions: DEFAULT_EVERYONE }))
  })

  it('when the guild has very many', async () => {
    const { db } = world.database
    await sql`insert into invite (code, guild_id, user_id, created_at)
      select 'bulk' || lpad(n::text, 6, '0'), ${demo}, ${world.people.owner.id}, 0
      from generate_series(1, 1000) n`.execute(db)
    expect(await world.as('owner').refusal(createInvite, { guild_id: demo })).toBe('invite.too_many')
    await sql`delete from invite where code like 'bulk%'`.execute(db)
  })
})

describe('an invite', () => {
  it('is created by a member, and opens the guild for others as often as it says', async () => {
    const { url, url_code } = await world.as('member').call(createInvite, {
      guild_id: demo,
      duration: '86400',
      setting_times: 1,
    })
    expect(url).toMatch(new RegExp(`^https?://[^/]+/${url_code}$`))
    expect((await world.as(null).call(viewInvite, { id: url_code })).guild.id).toBe(demo)
    const [listed] = await world.as('member').call(listInvitesV2, { guild_id: demo })
    expect(listed).toMatchObject({
      url,
      url_code,
      guild_id: demo,
      channel_id: '0',
      type: 0,
      duration: 86_400,
      remaining_times: 1,
      using_times: 0,
      user: { id: world.people.member.id },
    })
    expect(listed!.expire_time - listed!.created_at).toBe(DAY_MS)
    await world.as('outsider').call(joinGuild, { code: url_code })
    expect((await world.as('outsider').call(viewGuild, { id: demo })).id).toBe(demo)
    // Used up: it is not listed any more.
    const codes = (await world.as('member').call(listInvitesV2, { guild_id: demo })).map((it) => it.url_code)
    expect(codes).not.toContain(url_code)
  })

  it('leads to a channel, and is listed there', async () => {
    const call = world.as('member').call
    const { url_code } = await call(createInvite, { channel_id: world.main.id, duration: 0 })
    const { items, meta } = await call(listInvites, { channel_id: world.main.id })
    expect(items).toEqual([
      expect.objectContaining({ url_code, channel_id: world.main.id, type: 1, duration: 0, expire_time: 0 }),
    ])
    expect(meta).toEqual({ page: 1, page_total: 1, page_size: 50, total: 1 })
    expect((await world.as(null).call(viewInvite, { id: url_code })).type).toBe('channel')
  })

  it('of others is seen and ended with the right to manage invites alone', async () => {
    const { url_code, url } = await world.as('owner').call(createInvite, { guild_id: demo })
    const codes = async (who: 'member' | 'admin') =>
      (await world.as(who).call(listInvites, { guild_id: demo })).items.map((it) => it.url_code)
    expect(await codes('member')).not.toContain(url_code)
    expect(await codes('admin')).toContain(url_code)
    expect(await world.as('member').refusal(deleteInvite, { url_code })).toBe('invite.no_right')
    await world.as('admin').call(deleteInvite, { url_code: url })
    expect(await world.as(null).refusal(viewInvite, { id: url_code })).toBe('invite.invalid')
    expect(await world.as('admin').refusal(deleteInvite, { url_code })).toBe('invite.invalid')
  })

  it('of one’s own is ended by whoever created it', async () => {
    const { url_code } = await world.as('member').call(createInvite, { guild_id: demo })
    await world.as('member').call(deleteInvite, { url_code })
    expect(await world.as(null).refusal(viewInvite, { id: url_code })).toBe('invite.invalid')
  })

  it('is not listed after it has expired', async () => {
    const call = world.as('member').call
    const { url_code } = await call(createInvite, { guild_id: demo, duration: 1_800 })
    const now = Date.now()
    const restore = replaceClock(() => now + 1_800_000)
    try {
      const codes = (await call(listInvitesV2, { guild_id: demo })).map((it) => it.url_code)
      expect(codes).not.toContain(url_code)
    } finally {
      restore()
    }
  })
})
