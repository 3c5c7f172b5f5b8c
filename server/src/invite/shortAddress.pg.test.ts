import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { joinGuild } from '@guildhall/wire/invite/invite.ts'
import { deleteInvite } from '@guildhall/wire/invite/manage.ts'
import { setCustomId } from '@guildhall/wire/invite/shortAddress.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { setBoosts, setRecommended } from '../guild/guild.ts'
import { commit } from '../kit/events/events.ts'
import { createGuild, join } from '../member/member.ts'
import type { Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

let world: TestWorld
let guild_id: GuildId
let other: GuildId
let names = 0

const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) Chrome/126.0.0.0 Mobile Safari/537.36'

const newGuild = () =>
  commit(world.app.appContext, async (tx, emit) => {
    const id = await createGuild(tx, emit, { name: '短地址', ownerId: world.people.owner.id })
    await join(tx, emit, id, world.people.member.id)
    return id
  })
const setLevel = (id: GuildId, level: number) =>
  commit(world.app.appContext, (tx, emit) => setBoosts(tx, emit, id, { boost_num: 0, level }))
const set = (custom_id: string, who: PersonName = 'owner', id = guild_id) =>
  world.as(who).call(setCustomId, { guild_id: id, custom_id })
const refused = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: Refused) => ({ failure: error.failure, ...error.body.data?.extra }),
  )
const shown = async () =>
  (await world.as('owner').call(listGuilds)).find(({ id }) => id === guild_id)?.custom_id
/** Where a path leads a browser; null: nowhere. */
const leads = async (
  path: string,
  from: { accept?: string; agent?: string; method?: 'GET' | 'HEAD' } = {},
) => {
  const { accept = 'text/html', agent = '', method = 'GET' } = from
  const { status, headers } = await world.app.inject({
    method,
    url: path,
    headers: { accept, 'user-agent': agent },
  })
  return status === 302 ? String(headers.location) : null
}
/** What a robot is answered, which by default asks for anything. */
const robot = (path: string, headers: Record<string, string> = { accept: '*/*' }) =>
  world.app.inject({ method: 'GET', url: path, headers })

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  guild_id = await newGuild()
  other = await newGuild()
  await setLevel(guild_id, 5)
  await setLevel(other, 6)
})

describe('a custom id is refused', () => {
  test('to those who may not manage the guild, and below the level that has it', async () => {
    expect(await refused(set('star-sea', 'outsider'))).toMatchObject({ failure: 'forbidden' })
    expect(await refused(set('star-sea', 'member'))).toMatchObject({ failure: 'member.no_right' })
    await setLevel(guild_id, 4)
    expect(await refused(set('star-sea'))).toMatchObject({
      failure: 'guild.level',
      level: 5,
      right: 'custom_id',
    })
    expect(await shown()).toBe('')
  })

  test('in another form; how short it may be depends on the level', async () => {
    for (const wrong of ['stars', '-starsea', 'star_sea', 'x'.repeat(33), '星海公会厅'])
      expect(await refused(set(wrong))).toMatchObject({ failure: 'guild.id_wrong', min: 6, max: 32 })
    expect(await refused(set('abc', 'owner', other))).toMatchObject({
      failure: 'guild.id_wrong',
      min: 4,
    })
    expect((await set(`s${++names}ar`, 'owner', other)).custom_id).toBe('s1ar')
  })

  test('when it is reserved, or another guild has it in any case, also of two at once', async () => {
    expect(await refused(set('Official'))).toMatchObject({ failure: 'guild.id_taken' })
    await set('Pixel-Gallery', 'owner', other)
    expect(await refused(set('pixel-gallery'))).toMatchObject({ failure: 'guild.id_taken' })
    const both = await Promise.all([refused(set('together')), refused(set('Together', 'owner', other))])
    expect(both.filter((it) => it === null)).toHaveLength(1)
    expect(both.filter((it) => it !== null)).toMatchObject([{ failure: 'guild.id_taken' }])
  })
})

test('the short address leads to an invite by which people join, in any case of its letters', async () => {
  expect(await leads('/g/star-sea')).toBeNull()
  const { url } = await set('Star-Sea')
  expect(new URL(url).pathname).toBe('/g/Star-Sea')
  expect(await shown()).toBe('Star-Sea')
  const target = await leads('/g/star-sea')
  expect(await leads('/g/star-sea', { method: 'HEAD' })).toBe(target)
  // A browser, also where it says less than usual, and a phone whose name is not that of a robot.
  expect(await leads('/g/star-sea', { accept: '*/*', agent: PHONE })).toBe(target)
  expect(await leads('/g/star-sea', { agent: PHONE.replace('Pixel 8', 'CUBOT X18') })).toBe(target)
  expect(target).toMatch(/^\/invite\/\w+$/)
  const code = target!.slice('/invite/'.length)
  expect((await world.as('outsider').call(joinGuild, { id: code })).guild_id).toBe(guild_id)
  // Another id leads to the same invite, and the old address nowhere.
  await set('galaxy-hall')
  expect(await leads('/g/galaxy-hall')).toBe(target)
  expect(await leads('/g/star-sea')).toBeNull()
  await set('')
  expect([await shown(), await leads('/g/galaxy-hall')]).toEqual(['', null])
  expect(await refused(world.as('admin').call(joinGuild, { id: code }))).toMatchObject({
    failure: 'invite.invalid',
  })
})

test('a guild that dropped a level keeps its id, may take it away, and gets no other one', async () => {
  await setLevel(guild_id, 6)
  await set('nova')
  await setLevel(guild_id, 0)
  expect(await shown()).toBe('nova')
  expect(await leads('/g/nova')).not.toBeNull()
  expect(await refused(set('nova-hall'))).toMatchObject({ failure: 'guild.level' })
  await set('nova')
  await set('')
  expect(await refused(set('nova'))).toMatchObject({ failure: 'guild.level' })
})

test('who deletes the invite closes the address, until an id is set again', async () => {
  await set('closed-door')
  const code = (await leads('/g/closed-door'))!.slice('/invite/'.length)
  await world.as('owner').call(deleteInvite, { url_code: code })
  expect(await leads('/g/closed-door')).toBeNull()
  await set('open-door')
  expect(await leads('/g/open-door')).toMatch(/^\/invite\//)
})

describe('robots that draw previews', () => {
  test('get nothing where no guild is, and where its address was closed', async () => {
    expect((await robot('/g/nobody-here')).status).toBe(404)
    await set('shut-hall')
    await set('')
    expect((await robot('/g/shut-hall')).status).toBe(404)
  })

  test('get the name, words, picture and members of the guild, at the address that was shared', async () => {
    await set('Star-Port')
    await sql`update guild set name = '<星港> & $1', topic = '"看星星"', icon = '/assets/2026-11/star.png'
      where id = ${guild_id}`.execute(world.database.db)
    const target = await leads('/g/star-port')
    const { status, text } = await robot('/g/star-port?from=chat')
    expect(status).toBe(200)
    const at = 'http://localhost:80/g/Star-Port'
    expect(text).toContain('<meta property="og:title" content="&#60;星港&#62; &#38; $1">')
    expect(text).toContain('<meta property="og:description" content="2 位成员 · &#34;看星星&#34;">')
    expect(text).toContain('<meta property="og:image" content="http://localhost/assets/2026-11/star.png">')
    expect(text).toContain(`<meta property="og:url" content="${at}">`)
    expect(text).toContain(`<link rel="canonical" href="${at}">`)
    // Who was taken for a robot gets on by one tap.
    expect(text).toContain(`<a href="${target}">`)
    expect(text).not.toContain('<script')
  })

  test.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['WhatsApp/2.23.20.0'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5'],
  ])('are known by their name: %s', async (agent) => {
    const name = `known-${++names}-hall`
    await set(name)
    const headers = { accept: 'text/html', 'user-agent': agent }
    expect((await robot(`/g/${name}`, headers)).status).toBe(200)
  })

  test('may keep only what is public: guilds that are recommended', async () => {
    await set('quiet-hall')
    const noindex = '<meta name="robots" content="noindex">'
    expect((await robot('/g/quiet-hall')).text).toContain(noindex)
    await commit(world.app.appContext, (tx) => setRecommended(tx, guild_id, true))
    expect((await robot('/g/quiet-hall')).text).not.toContain(noindex)
    expect((await robot((await leads('/g/quiet-hall'))!)).text).toContain(noindex)
  })
})
