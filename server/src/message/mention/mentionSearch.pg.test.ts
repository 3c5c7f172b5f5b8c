import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { findCallable as findCallableRoute } from '@guildhall/wire/message/mention.ts'
import { sendToChannel } from '@guildhall/wire/message/message.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PersonName } from '../../demo/world.ts'
import { withConnection } from '../../kit/database/db.ts'
import { commit } from '../../kit/events/events.ts'
import { indexSomeMembers, leave, setNickname } from '../../member/member.ts'
import { membersByKeyQuery } from '../../member/nameSearchSql.ts'
import { refusalOf } from '../../testing/calls.ts'
import { connectionsTaken } from '../../testing/database/connectionsTaken.ts'
import { openWorld, type TestWorld } from '../../testing/world.ts'
import { findCallable } from './mentionSearch.ts'

const CROWD = 100_000

let world: TestWorld
let demo: GuildId
beforeAll(async () => {
  world = await openWorld({}, undefined, { scheduledWork: false })
  demo = world.guilds[0]?.id as GuildId
})
afterAll(() => world.close())

const find = async (search: string, more: object = {}, name: PersonName = 'admin') =>
  (await world.as(name).call(findCallableRoute, { guild_id: demo, search, ...more })).items
const names = async (search: string, more: object = {}) =>
  (await find(search, more)).map(({ nickname }) => nickname)
const call = (name: PersonName, nickname: string) =>
  commit(world.app.appContext, (tx, emit) => setNickname(tx, emit, demo, world.idOf(name), nickname))

describe('the search for members to mention', () => {
  it('is refused to guests, and to people who are not members or may not view the channel', async () => {
    expect(await world.as(null).refusal(findCallableRoute, { guild_id: demo, search: 'x' })).toBe(
      'not_logged_in',
    )
    expect(await refusalOf(find('x', {}, 'outsider'))).toBe('forbidden')
    expect(await refusalOf(find('x', { channel_id: world.main.id }, 'outsider'))).toBe('forbidden')
    expect(await refusalOf(find('x', { channel_id: world.backstage.id }, 'member'))).toBe('forbidden')
    expect(await refusalOf(find('x', { guild_id: '3999999999999999' }))).toBe('forbidden')
    expect(await refusalOf(find('x', { guild_id: world.guilds[1]?.id, channel_id: world.main.id }))).toBe(
      'forbidden',
    )
    expect(await refusalOf(find('x'.repeat(65)))).toBe('bad_input')
  })

  it('finds nobody by a text that is in no name of the guild', async () => {
    expect(await names('没有这个人')).toEqual([])
    expect(await names('aning')).toEqual([])
    expect(await names('%')).toEqual([])
    expect(await names('\u0000')).not.toContain('新来的阿宁')
  })

  it('finds by characters anywhere, by full, abbreviated and mixed pinyin, and by name and number', async () => {
    for (const search of ['小满', '满', 'xiaoman', 'xm', 'xiaom', 'xman', 'XiaoMan', 'xiǎo'])
      expect(await names(search), search).toContain('小满')
    expect(await names('lgdm')).toEqual(['路过的猫'])
    const [owner] = await find('小满')
    expect(owner?.spellings).toEqual(['xiao man', 'xiao man'])
    expect(await names(`小满#${owner?.identify_num}`)).toEqual(['小满'])
    expect(await names(`小满#${owner?.identify_num}0`)).toEqual([])
  })

  it('with an empty text lists the latest authors, then the others by name, and not oneself', async () => {
    await world.as('member').call(sendToChannel, { id: world.main.id, content: '{"content":"a"}' })
    await world.as('owner').call(sendToChannel, { id: world.main.id, content: '{"content":"b"}' })
    const offered = await names('', { channel_id: world.main.id })
    expect(offered.slice(0, 2)).toEqual(['小满', '南枝'])
    expect(offered).not.toContain('阿澈')
    expect(offered).toHaveLength(4)
    expect(await names('', { channel_id: world.main.id, page_size: 1 })).toEqual(['小满'])
  })

  it('lists members who cannot view the channel last, and marks them', async () => {
    const seen = await find('', { channel_id: world.backstage.id })
    expect(seen.map(({ nickname, can_view }) => [nickname, can_view]).slice(0, 2)).toEqual([
      ['小满', true],
      ['话太多', false],
    ])
    const all = await find('', { channel_id: world.main.id })
    expect(all.every(({ can_view }) => can_view)).toBe(true)
  })

  it('finds a new nickname at once, still the username, and neither the old nickname nor former members', async () => {
    await call('member', '重庆来的')
    expect(await names('cqld')).toEqual(['重庆来的'])
    expect(await names('zhongq')).toEqual(['重庆来的'])
    expect(await names('nanzhi')).toEqual(['重庆来的'])
    await call('member', '')
    expect(await names('cqld')).toEqual([])
    expect(await names('nanzhi')).toEqual(['南枝'])
    await commit(world.app.appContext, (tx, emit) => leave(tx, emit, demo, world.idOf('unverified')))
    expect(await names('lgdm')).toEqual([])
  })

  it('finds a new username, and members from before an upgrade, once their keys are made', async () => {
    await sql`update "user" set username = '夜航船' where id = ${world.idOf('muted')}`.execute(
      world.database.db,
    )
    expect(await indexSomeMembers(world.database.db)).toBe(1)
    expect(await names('yhc')).toEqual(['夜航船'])
    expect(await names('huataiduo')).toEqual([])
    expect(await indexSomeMembers(world.database.db)).toBe(0)
  })
})

describe('in a guild of a hundred thousand', () => {
  beforeAll(async () => {
    const { db } = world.database
    // On a separate connection: on a slow machine this may exceed the server's statement timeout.
    const seed = (text: string) => withConnection(world.database.connection, (query) => query(text))
    await seed(`
      with made as (
        insert into "user" (username, identify_num, created_at)
        select substr('赵钱孙李周吴郑王冯陈', 1 + n % 10, 1) || substr('晓明芳丽强伟静敏军杰', 1 + n / 10 % 10, 1)
          || substr('安宁乐天云海林溪雨晴', 1 + n / 100 % 10, 1), lpad(n::text, 6, '0'), 0
        from generate_series(1, ${CROWD}) n returning id)
      insert into membership (guild_id, user_id, joined_at) select ${demo}, id, 0 from made`)
    await seed(`
      insert into membership_role (guild_id, user_id, role_id)
      select ${demo}, membership.user_id, role_id from membership
      join role on role.guild_id = ${demo} and role.name = '主播'
      where membership.guild_id = ${demo} on conflict do nothing`)
    // A thousand get their keys as after an upgrade; the others have the same names.
    await seed(`
      update membership set is_keyed = true from "user" it
      where it.id = user_id and created_at = 0 and identify_num::int > 1000`)
    while ((await indexSomeMembers(db)) > 0);
    await seed(`
      insert into member_key
      select key.guild_id, key.place, replace(key.key, one.identify_num, it.identify_num), it.id from "user" it
      join "user" one on one.username = it.username and one.created_at = 0 and one.identify_num::int <= 1000
      join member_key key on key.user_id = one.id
      where it.created_at = 0 and it.identify_num::int > 1000`)
    await seed(`analyze`)
  })

  it('every search reads a bounded part of the index, whatever is typed', async () => {
    for (const from of ['', 'z', 'zhaoxiao', '明', '赵晓安#0', 'nobody']) {
      const query = membersByKeyQuery(demo, { from, before: `${from}\u{10FFFF}`, most: 120 })
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
        explain (analyze, timing off, format json) ${query}`.execute(world.database.db)
      const nodes = nodesOf(rows[0]?.['QUERY PLAN'][0].Plan as PlanNode)
      expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
      const walks = nodes.filter((node) => node['Relation Name'] === 'member_key')
      expect(walks.map((node) => node['Index Name'])).toEqual(['member_key_pkey', 'member_key_pkey'])
      // A member has a role or two.
      for (const node of nodes) {
        expect(
          node['Actual Rows'] * node['Actual Loops'],
          `${from} ${node['Node Type']}`,
        ).toBeLessThanOrEqual(2 * 120)
        expect(node['Rows Removed by Filter'] ?? 0).toBe(0)
      }
    }
  })

  it('runs as many queries as in a small one', async () => {
    const asked = (search: string, channelId: ChannelId | null) =>
      connectionsTaken(world, (appContext) =>
        findCallable(appContext, world.idOf('admin'), { guildId: demo, channelId, search, most: 20 }),
      )
    expect(await asked('zhao', world.main.id)).toBe(4)
    expect(await asked('nobody', world.main.id)).toBe(4)
    expect(await asked('', world.main.id)).toBe(6)
    expect(await asked('zhao', null)).toBe(3)
  })

  it('finds one among all by characters, by pinyin and by number, and a full page of many matches', async () => {
    const [one] = await find('赵晓安#001000')
    expect(one?.identify_num).toBe('001000')
    expect(await find('zhao', { page_size: 50 })).toHaveLength(50)
    expect((await find('zhaoxa'))[0]?.nickname).toBe('赵晓安')
    expect((await names('xm')).slice(0, 1)).toEqual(['小满'])
    expect(new Set((await find('z', { page_size: 50 })).map(({ id }) => id)).size).toBe(50)
    const spoke = await names('', { channel_id: world.main.id as ChannelId, page_size: 50 })
    expect(spoke.slice(0, 2)).toEqual(['小满', '南枝'])
    expect(spoke).toHaveLength(50)
  })
})

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
