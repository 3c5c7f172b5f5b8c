/** Messages are found exactly where `message/list` and `direct-message/list` have them for the asker. */
import { deleteChannel, restoreChannel } from '@guildhall/wire/channel/publicChannel.ts'
import {
  createPrivate,
  deleteChat,
  deletePrivate,
  listChats,
  listPrivate,
} from '@guildhall/wire/chat/chat.ts'
import { blockPerson } from '@guildhall/wire/friend/friend.ts'
import { deleteGuild } from '@guildhall/wire/guild/deletion.ts'
import { createGuild, leaveGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { createBan, createMute, kickOut, muteType } from '@guildhall/wire/member/moderation.ts'
import { deleteMessage, listMessages, updateMessage } from '@guildhall/wire/message/action.ts'
import { createMessage, sendToChannel } from '@guildhall/wire/message/message.ts'
import { searchMessages } from '@guildhall/wire/search/search.ts'
import { decideReview, listReviews } from '@guildhall/wire/staff/reviews.ts'
import { deleteUser, suspendUser } from '@guildhall/wire/staff/staff.ts'
import { addWord, WORD_TARGETS } from '@guildhall/wire/staff/words.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createChannel } from '../channel/channel.ts'
import { commit } from '../kit/events/events.ts'
import { join } from '../member/member.ts'
import { type Newcomer, type Person, Refused } from '../testing/calls.ts'
import { openWorld, type TestWorld } from '../testing/world.ts'

/** What each message says, and is looked for. */
const WORD = '火锅'
let world: TestWorld
/** They are members of a guild of their own, in which each case has a channel, except where it says else. */
let owner: Newcomer
let author: Newcomer
let asker: Newcomer
let guild_id: GuildId
let channel: ChannelId

beforeAll(async () => {
  world = await openWorld()
  const everywhere = { places: [...WORD_TARGETS], note: '', reason: '测试' }
  await world.as('staff').call(addWord, { word: '微信', action: 'hold', ...everywhere })
})
afterAll(() => world?.close())
beforeEach(async () => {
  owner = await world.newcomer()
  author = await world.newcomer()
  asker = await world.newcomer()
  guild_id = (await owner.call(createGuild, { name: '吃饭' })).id as GuildId
  await commit(world.app.appContext, async (tx, emit) => {
    for (const { id } of [author, asker]) await join(tx, emit, guild_id, id)
    channel = await createChannel(tx, emit, { guildId: guild_id, name: '晚饭', type: 1 })
  })
})

/** The words, or by what name the call is refused. */
async function wordsOr(words: Promise<string[]>): Promise<string[] | string> {
  return words.then(
    (all) => all.filter((it) => it.includes(WORD)).toSorted(),
    (error: unknown) => {
      if (error instanceof Refused && error.failure) return error.failure
      throw error
    },
  )
}

const listed = (who: Person) =>
  wordsOr(
    who
      .call(listMessages, { target_id: channel })
      .then(({ items }) => items.map(({ mention_info }) => mention_info.raw_content)),
  )
const found = (who: Person, where: object = {}) =>
  wordsOr(
    who
      .call(searchMessages, { q: WORD, ...where })
      .then(({ items }) => items.map(({ message }) => message.mention_info.raw_content)),
  )

const say = (content: string) => author.say(channel, content)
const decide = async (pass: boolean) => {
  const { items } = await world.as('staff').call(listReviews, { kind: 'message' })
  for (const { id } of items)
    await world.as('staff').call(decideReview, { kind: 'message', id: Number(id), pass, reason: '好的' })
}
const hold = () => author.refusal(sendToChannel, { id: channel, content: `微信${WORD}` })
const reason = '测试'

describe.each<[string, () => Promise<unknown>, string | string[]]>([
  ['that was said', () => say(WORD), [WORD]],
  ['that was deleted', async () => author.call(deleteMessage, { msg_id: (await say(WORD)).id }), []],
  [
    'that was edited',
    async () => author.call(updateMessage, { msg_id: (await say(WORD)).id, content: `改了${WORD}` }),
    [`改了${WORD}`],
  ],
  [
    'that is edited for one alone',
    async () => {
      const edit = {
        msg_id: (await author.call(createMessage, { target_id: channel, content: WORD })).msg_id,
      }
      await author.call(updateMessage, { ...edit, content: `悄悄${WORD}`, temp_target_id: asker.id })
    },
    [WORD],
  ],
  [
    'that is ephemeral',
    () => author.call(createMessage, { target_id: channel, content: WORD, temp_target_id: asker.id }),
    [],
  ],
  ['that is held', hold, []],
  ['that was held and passed', async () => [await hold(), await decide(true)], [`微信${WORD}`]],
  ['that was held and refused', async () => [await hold(), await decide(false)], []],
  [
    'of somebody whom the asker blocks',
    async () => [await say(WORD), await asker.call(blockPerson, { user_id: author.id })],
    [WORD],
  ],
  [
    'of somebody who blocks the asker',
    async () => [await say(WORD), await author.call(blockPerson, { user_id: asker.id })],
    [WORD],
  ],
  [
    'of somebody who left',
    async () => [await say(WORD), await author.call(leaveGuild, { guild_id })],
    [WORD],
  ],
  [
    'of somebody who was banned',
    async () => [await say(WORD), await owner.call(createBan, { guild_id, target_id: author.id })],
    [WORD],
  ],
  [
    'of somebody who is suspended',
    async () => [
      await say(WORD),
      await world.as('staff').call(suspendUser, { user_id: author.id, until: 0, reason }),
    ],
    [WORD],
  ],
  [
    'of a deleted account',
    async () => [await say(WORD), await world.as('staff').call(deleteUser, { user_id: author.id, reason })],
    [WORD],
  ],
  [
    'for somebody who may not write',
    async () => [
      await say(WORD),
      await owner.call(createMute, { guild_id, user_id: asker.id, type: muteType.write }),
    ],
    [WORD],
  ],
  [
    'of a guild that the asker left',
    async () => [await say(WORD), await asker.call(leaveGuild, { guild_id })],
    'forbidden',
  ],
  [
    'of a guild that kicked the asker out',
    async () => [await say(WORD), await owner.call(kickOut, { guild_id, target_id: asker.id })],
    'forbidden',
  ],
  [
    'of a deleted channel',
    async () => [await say(WORD), await owner.call(deleteChannel, { channel_id: channel })],
    'forbidden',
  ],
  [
    'of a channel that is there again',
    async () => {
      await say(WORD)
      await owner.call(deleteChannel, { channel_id: channel })
      await owner.call(restoreChannel, { channel_id: channel })
    },
    [WORD],
  ],
  [
    'of a deleted guild',
    async () => [await say(WORD), await owner.call(deleteGuild, { guild_id })],
    'forbidden',
  ],
])('a message %s', (_, arrange, expected) => {
  it('is found where it is listed', async () => {
    await arrange()
    expect(await listed(asker)).toEqual(expected)
    expect(await found(asker, { channel_id: channel })).toEqual(expected)
    expect(await found(asker)).toEqual(typeof expected === 'string' ? [] : expected)
  })
})

describe.each<[string, (code: string, msg_id: string) => Promise<unknown>]>([
  ['that was said', async () => undefined],
  ['that was deleted', (_, msg_id) => author.call(deletePrivate, { msg_id })],
  ['of somebody whom the asker blocks', () => asker.call(blockPerson, { user_id: author.id })],
  ['of somebody who blocks the asker', () => author.call(blockPerson, { user_id: asker.id })],
  ['of a deleted account', () => world.as('staff').call(deleteUser, { user_id: author.id, reason })],
  ['of a conversation that the asker put away', (chat_code) => asker.call(deleteChat, { chat_code })],
])('a private message %s', (name, arrange) => {
  it('is found where it is listed, and by nobody else', async () => {
    const said = { target_id: asker.id, content: WORD }
    const { msg_id } = await author.call(createPrivate, said)
    const { items } = await asker.call(listChats, {})
    const { code } = items.find(({ target_info }) => target_info.id === author.id)!
    await arrange(code, msg_id)
    const inList = await wordsOr(
      asker
        .call(listPrivate, { chat_code: code })
        .then((it) => it.items.map(({ mention_info }) => mention_info.raw_content)),
    )
    expect(inList).toEqual(name === 'that was deleted' ? [] : [WORD])
    expect(await found(asker, { chat_code: code })).toEqual(inList)
    expect(await found(asker)).toEqual(inList)
    expect(await found(owner, { chat_code: code })).toBe('chat.unknown')
    expect(await found(owner)).toEqual([])
  })
})
