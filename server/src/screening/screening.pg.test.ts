import { renameSelf, updateSelf } from '@guildhall/wire/auth/owner.ts'
import { createChannel, updateChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { createPrivate, updatePrivate } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { createGuildEmoji, updateGuildEmoji } from '@guildhall/wire/emoji/manage.ts'
import { createGuild } from '@guildhall/wire/guild/ownGuild.ts'
import { setCustomId } from '@guildhall/wire/invite/shortAddress.ts'
import { kickOut, setNickname } from '@guildhall/wire/member/moderation.ts'
import { updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage, history, sendToChannel } from '@guildhall/wire/message/message.ts'
import { updateGuild } from '@guildhall/wire/profile/profile.ts'
import { createRole, updateRole } from '@guildhall/wire/role/role.ts'
import type { Route } from '@guildhall/wire/route.ts'
import { viewHeld, withdrawHeld } from '@guildhall/wire/screening/screening.ts'
import { decideReview, listReviews, type MessageReview, viewReview } from '@guildhall/wire/staff/reviews.ts'
import * as wire from '@guildhall/wire/staff/words.ts'
import { promisedBy } from '@guildhall/wire/staff/workingTime.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PersonName } from '../demo/world.ts'
import { openLog } from '../kit/log.ts'
import { LOCAL_REVIEW_COLOURS, LOCAL_REVIEW_WORDS } from '../outside/contentReview/local.ts'
import { fileNamed, type Refused, refusalOf } from '../testing/calls.ts'
import { pngOf } from '../testing/picture.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'
import { WordRules } from './words.ts'

const EVERYWHERE = { places: [...wire.WORD_TARGETS], note: '', reason: '测试' }

let world: TestWorld
const channel = () => world.main.id
const send = (name: PersonName, content: string, nonce = '') =>
  world.as(name).call(sendToChannel, { id: channel(), content, nonce })
const said = async () =>
  (await world.as('member').call(history, { id: channel() })).map(({ content }) => content)
const waiting = async () =>
  (await world.as('staff').call(listReviews, { kind: 'message' })).items as readonly MessageReview[]
const decide = (id: string, pass: boolean, reason = '好的') =>
  world.as('staff').call(decideReview, { kind: 'message', id: Number(id), pass, reason })
const stateOf = async (name: PersonName, nonce: string) =>
  (await world.as(name).call(viewHeld, { nonces: [nonce] })).items[0]
const rows = <T>(query: ReturnType<typeof sql<T>>) => query.execute(world.database.db).then((it) => it.rows)

async function upload(name: PersonName, colour: string): Promise<string> {
  const bytes = await pngOf(400, 400, colour)
  return (await world.as(name).upload(bytes, 'a.png')).url
}

async function makeEmoji(name: string): Promise<{ readonly id: string }> {
  const bytes = await pngOf(40, 40, '#3355aa')
  const emoji = { guild_id: world.guildId, name }
  return world.as('owner').call(createGuildEmoji, emoji, fileNamed(bytes, 'a.png'))
}

describe('without rules and service', () => {
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it('nothing is asked, and everything is said', async () => {
    expect(world.app.appContext.screening?.isOn).toBe(false)
    await send('member', '加微信')
    expect(await said()).toContain('加微信')
  })

  it('names of the official account and of staff are refused all the same, and a role 管理员 is none', async () => {
    const [member, owner] = [world.as('member'), world.as('owner')]
    const guild_id = world.guildId
    expect(await member.refusal(renameSelf, { username: '官方客服' })).toBe('content.reserved')
    expect(await member.refusal(updateSelf, { username: '公會廳' })).toBe('content.reserved')
    expect(await member.refusal(setNickname, { guild_id, nickname: '系统' })).toBe('content.reserved')
    expect(await member.refusal(createGuild, { name: 'Guildhall 官方' })).toBe('content.reserved')
    expect(await owner.refusal(updateGuild, { id: guild_id, name: '客服群' })).toBe('content.reserved')
    expect(await owner.refusal(createRole, { guild_id, name: '官方' })).toBe('content.reserved')
    const { role_id } = await owner.call(createRole, { guild_id, name: '管理员' })
    expect(await owner.refusal(updateRole, { guild_id, role_id, name: '公会厅' })).toBe('content.reserved')
    await send('member', '官方客服在吗')
  })
})

describe('with word rules', () => {
  beforeAll(async () => {
    world = await openWorld()
    await world.app.listen()
    await world.as('staff').call(wire.addWord, { word: '禁词', action: 'refuse', ...EVERYWHERE })
    await world.as('staff').call(wire.addWord, { word: '微信', action: 'hold', ...EVERYWHERE })
    await world.as('staff').call(wire.addWord, { word: 'evil.example', action: 'refuse', ...EVERYWHERE })
    const messages = { action: 'refuse', places: ['message'], note: '', reason: '测试' }
    await world.as('staff').call(wire.addWord, { word: '只管消息', ...messages })
  })
  afterAll(() => world.close())
  beforeEach(() => sql`delete from attempt`.execute(world.database.db))

  it('a refused word is refused in messages, edits, ephemeral messages, and behind markup', async () => {
    for (const content of ['说禁词', '**禁**词', '禁\u200b詞', '[点我](https://evil.example/x)'])
      expect(await refusalOf(send('member', content)), content).toBe('content.refused')
    const target = { target_id: channel(), content: '禁词', temp_target_id: world.people.admin.id }
    expect(await world.as('member').refusal(createMessage, target)).toBe('content.refused')
    const { msgId: msg_id } = await send('member', '好词')
    for (const content of ['禁词', '微信'])
      expect(await world.as('member').refusal(updateMessage, { msg_id, content })).toBe('content.refused')
    expect(await said()).toContain('好词')
    expect(await waiting()).toEqual([])
  })

  it('the text of the refusal does not name the word', async () => {
    const error = await send('member', '说禁词').catch((thrown: Refused) => thrown)
    expect(JSON.stringify((error as Refused).body)).not.toContain('禁词')
  })

  it('both kinds of words are refused in names and faces, and those of messages alone are not', async () => {
    const guild_id = world.main.guild_id
    const { role_id } = await world.as('owner').call(createRole, { guild_id, name: '好角色' })
    const { id: channel_id } = await world.as('owner').call(createChannel, { guild_id, name: '好频道' })
    const calls: (readonly [PersonName, Route, (name: string) => object])[] = [
      ['member', renameSelf, (username) => ({ username })],
      ['member', updateSelf, (username) => ({ username })],
      ['member', setNickname, (nickname) => ({ guild_id, nickname })],
      ['owner', createGuild, (name) => ({ name })],
      ['owner', updateGuild, (name) => ({ id: guild_id, name })],
      ['owner', updateGuild, (desc) => ({ id: guild_id, desc })],
      ['owner', createChannel, (name) => ({ guild_id, name })],
      ['owner', updateChannel, (name) => ({ channel_id, name })],
      ['owner', updateChannel, (topic) => ({ channel_id, topic })],
      ['owner', createRole, (name) => ({ guild_id, name })],
      ['owner', updateRole, (name) => ({ guild_id, role_id, name })],
    ]
    for (const [who, route, inputOf] of calls)
      for (const name of ['禁词', '微信']) {
        await sql`delete from attempt`.execute(world.database.db)
        expect(await world.as(who).refusal(route, inputOf(name)), `${route.path} ${name}`).toBe(
          'content.refused',
        )
      }
    await world.as('owner').call(createRole, { guild_id, name: '只管消息' })
    expect(await waiting()).toEqual([])
  })

  it('names of emoji and short addresses are judged as other names of a guild are', async () => {
    const guild_id = world.main.guild_id
    await world.as('staff').call(wire.addWord, { word: 'badname', action: 'hold', ...EVERYWHERE })
    expect(await refusalOf(makeEmoji('badname'))).toBe('content.refused')
    const { id } = await makeEmoji('goodname')
    expect(await world.as('owner').refusal(updateGuildEmoji, { id, name: 'badname' })).toBe('content.refused')
    await world.as('owner').call(updateGuildEmoji, { id, name: 'betterone' })
    const custom_id = 'my-badname'
    expect(await world.as('owner').refusal(setCustomId, { guild_id, custom_id })).toBe('content.refused')
  })

  it('a held message is refused as held, again with its nonce, and said to nobody', async () => {
    expect(await refusalOf(send('member', '加我微信', 'h-1'))).toBe('content.held')
    expect(await refusalOf(send('member', '加我微信', 'h-1'))).toBe('content.held')
    const [held, ...others] = await waiting()
    expect(others).toEqual([])
    expect(held).toMatchObject({
      kind: 'message',
      user_id: world.people.member.id,
      channel_id: channel(),
      content: '加我微信',
      channel_name: world.main.name,
      target_id: null,
      why: [{ kind: 'word', text: '微信' }],
    })
    expect(await stateOf('member', 'h-1')).toMatchObject({ state: 'held', conversation: channel() })
    expect(await stateOf('admin', 'h-1')).toBeUndefined()
    expect(await said()).not.toContain('加我微信')
    // Others are not delayed.
    await send('member', '下一条')
    expect(await said()).toContain('下一条')
  })

  it('staff see what it says and until when an answer is promised, and reject it with a reason alone', async () => {
    const [held] = await waiting()
    expect(held).toMatchObject({
      state: 'waiting',
      words: '加我微信',
      decided_at: null,
      promised_by: promisedBy(held!.created_at),
    })
    const one = { kind: 'message', id: Number(held!.id) }
    expect(await world.as('staff').call(viewReview, one)).toEqual(held)
    expect(await world.as('staff').refusal(viewReview, { ...one, id: 999_999 })).toBe('review.unknown')
    expect(await refusalOf(decide(held!.id, false, ' '))).toBe('bad_input')
    expect(await waiting()).toEqual([held])
  })

  it('one that passes is sent now, with its nonce, and a repeated send answers it', async () => {
    const [held] = await waiting()
    await decide(held!.id, true)
    expect((await said()).at(-1)).toBe('加我微信')
    const { message } = await send('member', '加我微信', 'h-1')
    expect(message).toMatchObject({ nonce: 'h-1', content: '加我微信' })
    expect(await stateOf('member', 'h-1')).toMatchObject({ state: 'passed', msg_id: message.id })
    expect(await refusalOf(decide(held!.id, true))).toBe('review.decided')
    expect(await refusalOf(decide(held!.id, false))).toBe('review.decided')
    expect((await said()).filter((content) => content === '加我微信')).toHaveLength(1)
  })

  it('one that is rejected is never sent, and its author learns why', async () => {
    expect(await refusalOf(send('member', '微信群', 'h-2'))).toBe('content.held')
    const { id } = (await waiting())[0]!
    await decide(id, false, '广告')
    const decided = (await world.as('staff').call(listReviews, { kind: 'message', state: 'decided' })).items
    expect(decided.map(({ state, reason }) => `${state} ${reason}`)).toEqual(['rejected 广告', 'passed '])
    expect(decided[0]).toMatchObject({
      id,
      words: '微信群',
      decided_by: world.people.staff.id,
      decided_by_name: world.people.staff.username,
    })
    const before = { kind: 'message', state: 'decided', before: Number(id) }
    expect((await world.as('staff').call(listReviews, before)).items).toEqual(decided.slice(1))
    expect(await stateOf('member', 'h-2')).toMatchObject({ state: 'rejected', reason: '广告', msg_id: null })
    expect(await refusalOf(send('member', '微信群', 'h-2'))).toBe('content.rejected')
    expect(await said()).not.toContain('微信群')
    const events = await rows(sql<{ body: { nonce: string; state: string } }>`
      select body from person_event_log where user_id = ${world.people.member.id} and kind = 'reviewed_content' order by seq`)
    expect(events.map(({ body }) => `${body.nonce} ${body.state}`)).toEqual(['h-1 passed', 'h-2 rejected'])
  })

  it('of two who decide at once one does, and the staff log has it once', async () => {
    expect(await refusalOf(send('member', '微信三群', 'h-3'))).toBe('content.held')
    const { id } = (await waiting())[0]!
    const both = await Promise.all([
      refusalOf(decide(id, true)),
      refusalOf(decide(id, false)),
      refusalOf(decide(id, true)),
    ])
    expect(both.toSorted()).toEqual(['none', 'review.decided', 'review.decided'])
    const acts = await rows(sql<{ name: string; user_id: string }>`
      select name, user_id::text from staff_log where kind = 'act' and target = ${id} and name like 'held %'`)
    expect(acts).toHaveLength(1)
    expect(acts[0]?.user_id).toBe(world.people.member.id)
  })

  it('an operator reads and decides on it by command, and who is connected sees the one that passes at once', async () => {
    const operator = (...args: string[]) => world.command<{ id: string }[]>('review', ...args)
    expect(await refusalOf(send('member', '微信甲群', 'o-1'))).toBe('content.held')
    expect(await refusalOf(send('member', '微信乙群', 'o-2'))).toBe('content.held')
    const [first, second] = await operator('list')
    expect(first).toMatchObject({
      kind: 'message',
      channel_id: channel(),
      user_id: world.people.member.id,
      words: '微信甲群',
      waits_hours: 0,
      why: [{ kind: 'word', text: '微信' }],
    })
    const of = (id: string) => ['--id', id, '--kind', 'message']
    await expect(operator('decide', '--id', first!.id, '--kind', 'person', '--pass')).rejects.toThrow(
      /--kind/,
    )
    await expect(operator('decide', ...of(second!.id), '--reject')).rejects.toThrow(/--reason/)
    const seen: string[] = []
    const stop = world.app.appContext.bus.subscribe(({ body }) => {
      const { message } = body as { message?: { content: string } }
      if (message) seen.push(message.content)
    })
    expect(await operator('decide', ...of(first!.id), '--pass')).toMatchObject({ status: 'passed' })
    await operator('decide', ...of(second!.id), '--reject', '--reason', '广告')
    await expect.poll(() => seen).toEqual(['微信甲群'])
    stop()
    await expect(operator('decide', ...of(first!.id), '--pass')).rejects.toThrow('review.decided')
    expect(await operator('list')).toEqual([])
    expect(await stateOf('member', 'o-2')).toMatchObject({ state: 'rejected', reason: '广告' })
    const acts = await rows(sql<{ name: string }>`
      select name from staff_log where kind = 'act' and actor = 'operator' and name like 'held %' order by id`)
    expect(acts.map(({ name }) => name)).toEqual(['held pass', 'held reject'])
  })

  it('is not passed when its author may not write there any more, and goes on waiting', async () => {
    expect(await refusalOf(send('admin', '微信四群', 'h-4'))).toBe('content.held')
    const { id } = (await waiting())[0]!
    await world.as('owner').call(kickOut, { guild_id: world.main.guild_id, target_id: world.people.admin.id })
    expect(await refusalOf(decide(id, true))).toBe('content.author_cannot')
    expect(await waiting()).toHaveLength(1)
    await decide(id, false)
  })

  it('is taken back by its author, once it is not sent', async () => {
    expect(await refusalOf(send('member', '微信五群', 'h-5'))).toBe('content.held')
    const { id } = (await waiting())[0]!
    await world.as('owner').call(withdrawHeld, { nonce: 'h-5' })
    expect(await waiting()).toHaveLength(1)
    await world.as('member').call(withdrawHeld, { nonce: 'h-5' })
    expect(await refusalOf(decide(id, true))).toBe('review.unknown')
    await world.as('member').call(withdrawHeld, { nonce: 'h-1' })
    expect(await stateOf('member', 'h-1')).toMatchObject({ state: 'passed' })
  })

  it('in private conversations the same holds, also for what is forwarded', async () => {
    const target_id = world.people.owner.id
    expect(await world.as('member').refusal(createPrivate, { target_id, content: '禁词' })).toBe(
      'content.refused',
    )
    const private_ = { target_id, content: '加微信', nonce: 'p-1', type: 9 }
    expect(await world.as('member').refusal(createPrivate, private_)).toBe('content.held')
    const [held] = await waiting()
    expect(held).toMatchObject({ channel_id: null, target_id, target_name: world.people.owner.username })
    await decide(held!.id, true)
    const { msg_id } = await world.as('member').call(createPrivate, private_)
    expect((await stateOf('member', 'p-1'))?.msg_id).toBe(msg_id)
    expect(await world.as('member').refusal(updatePrivate, { msg_id, content: '禁词' })).toBe(
      'content.refused',
    )
    const forward = { msg_id, chat_code: (await stateOf('member', 'p-1'))?.conversation, nonce: 'f-1' }
    const to = { ...forward, to_channel_id: channel() }
    expect(await world.as('member').refusal(forwardMessage, to)).toBe('content.held')
    await decide((await waiting())[0]!.id, true)
    expect((await world.as('member').call(forwardMessage, to)).nonce).toBe('f-1')
  })

  it('a message that was sent before the rule stays sent, with its nonce', async () => {
    const { msgId } = await send('member', '新词', 'before')
    await world.as('staff').call(wire.addWord, { word: '新词', action: 'refuse', ...EVERYWHERE })
    expect((await send('member', '新词', 'before')).msgId).toBe(msgId)
    expect(await refusalOf(send('member', '新词', 'after'))).toBe('content.refused')
  })

  it('more than a hundred of one author do not wait', async () => {
    await sql`
      insert into held_content (author_id, guild_id, channel_id, conversation, nonce, input, why, created_at)
      select ${world.people.member.id}, ${world.main.guild_id}, ${channel()}, ${channel()}, 'many-' || n, '{}', '[]', 1
      from generate_series(1, 100) n`.execute(world.database.db)
    expect(await refusalOf(send('member', '微信六群', 'h-6'))).toBe('too_many')
    await sql`delete from held_content where nonce like 'many-%'`.execute(world.database.db)
  })

  it('another node follows within seconds', async () => {
    const there = new WordRules(world.database.db, openLog('quiet'))
    await there.start()
    expect(there.verdictOf(['另一个节点'], 'message').verdict).toBe('pass')
    await world.as('staff').call(wire.addWord, { word: '另一个节点', action: 'hold', ...EVERYWHERE })
    await expect.poll(() => there.verdictOf(['另一个节点'], 'message').verdict).toBe('hold')
    there.close()
  })

  it('a change that comes while the rules are read counts once it is answered', async () => {
    let release = () => {}
    const gate = new Promise<void>((done) => {
      release = done
    })
    let reads = 0
    /** The second reading has its answer before the change, and hands it on after it. */
    const slowly = world.database.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        reads += 1
        if (reads === 3) await gate
        return result
      },
    })
    const there = new WordRules(slowly, openLog('quiet'))
    await there.refresh()
    reads = 2
    const early = there.refresh()
    await expect.poll(() => reads).toBe(3)
    await world.as('staff').call(wire.addWord, { word: '正在读', action: 'hold', ...EVERYWHERE })
    const after = there.refresh()
    release()
    await Promise.all([early, after])
    expect(there.verdictOf(['正在读'], 'message').verdict).toBe('hold')
  })
})

describe('with the review service', () => {
  beforeAll(async () => {
    world = await openWorld({ CONTENT_REVIEW: 'local' })
    await world.app.listen()
  })
  afterAll(() => world.close())

  it('what it blocks is refused, and what it doubts waits', async () => {
    expect(await refusalOf(send('member', LOCAL_REVIEW_WORDS.block))).toBe('content.refused')
    expect(await refusalOf(send('member', LOCAL_REVIEW_WORDS.review, 's-1'))).toBe('content.held')
    const [held] = await waiting()
    expect(held?.why).toEqual([{ kind: 'service', text: 'Ad' }])
    await decide(held!.id, true)
    expect((await said()).at(-1)).toBe(LOCAL_REVIEW_WORDS.review)
    await send('member', '平常的话')
    expect((await said()).at(-1)).toBe('平常的话')
  })

  it('when it does not answer, messages wait and names are refused', async () => {
    expect(await refusalOf(send('member', LOCAL_REVIEW_WORDS.down, 's-2'))).toBe('content.held')
    const [held] = await waiting()
    expect(held?.why).toEqual([{ kind: 'unanswered', text: '' }])
    await decide(held!.id, false)
    const username = LOCAL_REVIEW_WORDS.down
    expect(await world.as('member').refusal(renameSelf, { username })).toBe('content.refused')
  })

  it('a picture that it blocks is not stored', async () => {
    expect(await refusalOf(upload('member', LOCAL_REVIEW_COLOURS.block))).toBe('content.refused')
  })

  it('a picture that it doubts makes messages wait and is no face, until staff have looked at it', async () => {
    const url = await upload('member', LOCAL_REVIEW_COLOURS.review)
    expect(url).toMatch(/^http/)
    expect(await world.as('member').refusal(updateSelf, { avatar: url })).toBe('content.refused')
    const content = JSON.stringify({ type: 2, content: url })
    expect(await refusalOf(send('member', content, 's-3'))).toBe('content.held')
    const [held] = await waiting()
    expect(held).toMatchObject({ type: 2, why: [{ kind: 'picture', text: '' }] })
    expect(held?.pictures[0]).toContain(new URL(url).pathname)
    await decide(held!.id, true)
    expect((await said()).at(-1)).toContain(new URL(url).pathname)
    await send('member', content)
    await world.as('member').call(updateSelf, { avatar: url })
  })

  it('a good picture is stored and shown', async () => {
    const url = await upload('member', '#3355aa')
    await send('member', JSON.stringify({ type: 2, content: url }))
    await world.as('member').call(updateSelf, { avatar: url })
  })
})

describe('with a service that is off by now', () => {
  beforeAll(async () => {
    world = await openWorld()
    await world.app.listen()
    await world.as('staff').call(wire.addWord, { word: '微信', action: 'hold', ...EVERYWHERE })
  })
  afterAll(() => world.close())

  it('its doubt keeps no picture from being shown, as nobody could end it', async () => {
    const url = await upload('member', '#3355aa')
    await sql`update asset set is_doubtful = true`.execute(world.database.db)
    await send('member', JSON.stringify({ type: 2, content: url }))
    expect(await waiting()).toEqual([])
    await world.as('member').call(updateSelf, { avatar: url })
  })
})

describe('with a service that may be passed over', () => {
  beforeAll(async () => {
    world = await openWorld({ CONTENT_REVIEW: 'local', CONTENT_REVIEW_DOWN: 'pass' })
  })
  afterAll(() => world.close())

  it('what it does not judge is said', async () => {
    await send('member', LOCAL_REVIEW_WORDS.down)
    expect((await said()).at(-1)).toBe(LOCAL_REVIEW_WORDS.down)
  })
})
