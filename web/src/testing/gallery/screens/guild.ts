/** A guild with uploaded pictures and one with letters, and their lists of channels. */
import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelActivity } from '@guildhall/wire/message/activity.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { listUnread, type Unread } from '@guildhall/wire/message/readMark.ts'
import type { On } from '../../answers.ts'
import { channelOf, guildOf } from '../../fixtures.ts'
import { messageLike } from '../../messages.ts'
import { longName } from '../kinds.tsx'
import { banners, icons } from './pictures.ts'

const VOICE = 2
const channels = [
  channelOf('20', '公告', { is_readonly: true }),
  channelOf('30', '聊天', {
    type: 0,
    is_category: true,
    channels: [
      channelOf('31', '闲聊'),
      channelOf('32', '开荒组队', { topic: '每晚八点，先到先得' }),
      channelOf('33', longName.username, { is_private: true }),
    ],
  }),
  channelOf('40', '语音', {
    type: 0,
    is_category: true,
    channels: [channelOf('41', '一起听', { type: VOICE })],
  }),
]
const guild = (id: string, name: string, more: Partial<Guild> = {}): Guild => ({
  ...guildOf(id, name, channels),
  ...more,
})

export const night = guild('10', '星海公会', {
  icon: icons.night,
  banner: banners.night,
  level: 3,
  boost_num: 18,
})
export const plain = guild('11', '清晨电台', { level: 0, boost_num: 1 })
export const guilds = [night, plain, guild('12', '像素工坊', { icon: icons.radio })]

const said = (channel_id: string, seq: number, content: string): ChannelActivity => {
  const { id, type, author, updated_at } = messageLike(seq)
  return {
    channel_id: channel_id as never,
    last_seq: seq,
    last_words: { id, type, content, author, updated_at },
  }
}
export const waits = (channel_id: string, unread_count: number, mention_count = 0): Unread => ({
  channel_id: channel_id as never,
  guild_id: '10' as never,
  read_seq: 0,
  last_seq: 9,
  unread_count,
  mention_count,
})
/** What a guild's list of channels asks for. */
export function ofGuild(on: On, of: Guild): void {
  on(viewGuild, () => of)
  on(listUnread, () => [waits('31', 3), waits('33', 120, 2)])
  on(viewActivity, () => ({
    online_count: of === plain ? 0 : 128,
    channels: [
      said('20', 4, '周六晚上八点集合'),
      said('31', 8, '好，一会儿见'),
      said('33', 9, longName.username),
    ],
  }))
}
