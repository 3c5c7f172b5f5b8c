/** A room whose people show what they have: faces, BUFF, greetings of those who joined. */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { history, type Message } from '@guildhall/wire/message/message.ts'
import { clearUnread, firstUnread } from '@guildhall/wire/message/readMark.ts'
import type { On } from '../../answers.ts'
import { messageLike } from '../../messages.ts'
import { waits } from './guild.ts'
import { type Known, known, members, person } from './people.ts'
import { faces } from './pictures.ts'

const WELCOME = 7
const WAVE = { id: '[#128075;]', name: '👋' }

let seq = 0
const by = (of: Known, more: Partial<Message>): Message => {
  seq += 1
  const like = messageLike(seq)
  return { ...like, author: { ...like.author, ...of, nickname: of.username } as never, ...more }
}
const joined = (of: Known, more: Partial<Message> = {}) =>
  by(of, { type: WELCOME, content: `欢迎 ${of.username} 加入`, ...more })

const [host, second, third, longest] = known as [Known, Known, Known, Known]
const newest = person('45', '阿树', { avatar: faces.guest })
const messages = [
  by(host, { content: '周六晚上八点集合，**先到先得**' }),
  by(second, { content: '好，一会儿见' }),
  joined(person('50', '小美')),
  joined(person('51', '张三')),
  joined(person('52', '李四')),
  joined(person('53', '王五')),
  by(third, { content: '欢迎大家！' }),
  joined(newest, {
    reactions: [
      {
        emoji: WAVE,
        count: 3,
        me: true,
      },
    ],
  }),
  by(longest, { content: '新来的朋友先去公告看看怎么玩' }),
]

/** What a guild asks for, and the room that a desk shows beside its channels. */
export function ofRoom(on: On, guild: Guild): void {
  members(on, guild)
  on(history, ({ id }) => messages.map((it) => ({ ...it, channel_id: id })))
  on(firstUnread, () => ({ first: null }))
  on(clearUnread, ({ channel_id }) => waits(channel_id, 0))
}
