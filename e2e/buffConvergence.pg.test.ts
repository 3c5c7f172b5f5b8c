/**
 * Convergence of what begins and ends: a page that received the events of BUFF and screen sharing equals one
 * opened afterwards.
 */
import { updateSelf } from '@guildhall/wire/auth/owner.ts'
import { userState } from '@guildhall/wire/auth/userState.ts'
import { vipExpired } from '@guildhall/wire/buff/buff.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { goliveInfo } from '@guildhall/wire/golive/golive.ts'
import { guildUpdated } from '@guildhall/wire/guild/guild.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../server/src/testing/server.ts'
import { openWorldEdits, type WorldEdits } from '../server/src/testing/worldEdits.ts'
import { type HeadlessPage, openHeadlessPage } from '../web/src/testing/headlessPage.ts'

let server: TestServer
let fixture: WorldEdits
let page: HeadlessPage
let main: ChannelId
let room: Awaited<ReturnType<HeadlessPage['open']>>

beforeAll(async () => {
  server = await openTestServer()
  fixture = openWorldEdits(server.database, server.url)
  main = server.channel('闲聊') as ChannelId
  page = await openHeadlessPage(server.url, await server.login('member'))
  for (const route of [userState, vipExpired, goliveInfo, listFriends]) await page.query(route, {})
  room = await page.open(main)
  page.view(server.guildId as GuildId)
})
afterAll(async () => {
  page?.close()
  await server?.close()
})

/** An answer without the gateway's address, which is another one each time. */
const lasting = (answer: unknown): unknown => ({ ...(answer as object), gateway_url: undefined })

async function expectConverged(): Promise<void> {
  await page.refetchInvalidated()
  for (const { call, cached, fresh } of await page.compare())
    expect({ call, answer: lasting(cached) }).toEqual({ call, answer: lasting(fresh) })
  const { cached, fresh } = await page.compareRoom(room, main)
  expect(cached).toEqual(fresh)
}

/** Makes a change, and compares once its events were received, and again after they were received twice. */
async function follows(events: readonly string[], change: () => Promise<unknown>): Promise<void> {
  const before = page.received.length
  await change()
  for (const event of events) await page.waitForEvent(event, before)
  await expectConverged()
  page.replay(page.received.slice(before))
  await expectConverged()
}

async function seen<R extends typeof vipExpired | typeof goliveInfo | typeof userState>(
  route: R,
): Promise<AnswerOf<R>> {
  const all = await page.compare()
  return all.find(({ call }) => call === `${route.method} ${route.path}`)?.cached as AnswerOf<R>
}

const STILL = 'http://x.example/a.gif?still=1'
const MOVING = 'http://x.example/a.gif'
const hasMovingPicture = (name: 'owner' | 'member') =>
  fixture.notify({
    guildId: server.guildId as GuildId,
    sql: `update "user" set avatar = '${STILL}', vip_avatar = '${MOVING}' where id = ${server.idOf(name)}`,
    event: guildUpdated,
    body: { id: server.guildId as GuildId, name: '公会' },
  })
const give = (what: string, name: 'owner' | 'member') => () =>
  server.command(`${what} --user ${server.idOf(name)} --days 30`)

/** Told to the person and to their guild. */
const EVERYBODY = ['user_updated', 'updated_guild_user']

it('BUFF of somebody else is seen at their messages from its beginning to its end', async () => {
  const authorOf = (name: 'owner' | 'member') =>
    room.snapshot().room.run.findLast(({ author }) => author.id === server.idOf(name))?.author
  await hasMovingPicture('owner')
  await follows(['updated_guild_user'], give('buff give', 'owner'))
  expect(authorOf('owner')).toMatchObject({ is_vip: true, avatar: STILL, vip_avatar: MOVING })
  await follows(['updated_guild_user'], () => fixture.endGrants(server.idOf('owner')))
  expect(authorOf('owner')).toMatchObject({ is_vip: false, avatar: STILL, vip_avatar: STILL })
})

it('a ring is seen at the messages of somebody else, and as one’s own, from its choice to the end of BUFF', async () => {
  const ringOf = (name: 'owner' | 'member') =>
    room.snapshot().room.run.findLast(({ author }) => author.id === server.idOf(name))?.author.avatar_frame
  await follows(['updated_guild_user'], give('buff give', 'owner'))
  await follows(['updated_guild_user'], () => server.as('owner').call(updateSelf, { avatar_frame: 'jade' }))
  expect(ringOf('owner')).toBe('jade')
  await follows(['updated_guild_user'], () => server.as('owner').call(updateSelf, { avatar_frame: '' }))
  expect(ringOf('owner')).toBe('')
  await follows(EVERYBODY, give('buff give', 'member'))
  await follows(EVERYBODY, () => server.as('member').call(updateSelf, { avatar_frame: 'rose' }))
  expect((await seen(userState)).user.avatar_frame).toBe('rose')
  await follows(EVERYBODY, () => fixture.endGrants(server.idOf('member')))
  expect((await seen(userState)).user.avatar_frame).toBe('')
  await follows(['updated_guild_user'], () => fixture.endGrants(server.idOf('owner')))
})

it('the reader’s own BUFF is seen in all that they have, also when only its end is later', async () => {
  await hasMovingPicture('member')
  await follows(EVERYBODY, give('buff give', 'member'))
  expect((await seen(userState)).user).toMatchObject({ is_vip: true, vip_avatar: MOVING })
  const once = await seen(vipExpired)
  await follows(['user_updated'], give('buff give', 'member'))
  expect((await seen(vipExpired)).vip_expired).toBeGreaterThan(once.vip_expired)
  await follows(EVERYBODY, () => fixture.endGrants(server.idOf('member')))
  expect((await seen(userState)).user).toMatchObject({ is_vip: false, vip_avatar: STILL })
})

it('the reader’s own screen sharing is seen from its beginning to its end', async () => {
  await follows(['user_updated'], give('golive give --type pro', 'member'))
  expect(await seen(goliveInfo)).toMatchObject({ type: 'pro' })
  await follows(['user_updated'], () => fixture.endGrants(server.idOf('member')))
  expect(await seen(goliveInfo)).toMatchObject({ type: 'none' })
})
