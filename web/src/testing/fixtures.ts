import { type Session, session } from '@guildhall/wire/auth/auth.ts'
import { type Channel, channel, type Guild, guild } from '@guildhall/wire/channel/channel.ts'
import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import type { siteInfo } from '@guildhall/wire/site/site.ts'

/** 小满, the logged-in user of the tests. */
const self = {
  id: '7',
  username: '小满',
  identify_num: '0007',
  avatar: '',
  vip_avatar: '',
  is_vip: false,
  bot: false,
  online: true,
  status: 0,
  mobile: '*******0007',
  mobile_prefix: '86',
  mobile_verified: true,
}

export const sessionOf = (more: Partial<typeof self> = {}): Session =>
  session.parse({
    token: 'tok',
    authorization: 'tok',
    user: { ...self, ...more },
    gateway_url: 'ws://127.0.0.1:1/gateway?compress=1&token=x',
  })

export const channelOf = (id: string, name: string, more: Partial<Channel> = {}): Channel => ({
  ...channel.parse({
    id,
    guild_id: '10',
    user_id: '3',
    parent_id: '',
    name,
    topic: '',
    type: 1,
    is_category: false,
    level: Number(id),
    is_readonly: false,
    is_private: false,
    permission_overwrites: [],
    permission_users: [],
    permission_sync: 1,
    permissions: 842248,
    has_password: false,
    slow_mode: 0,
    limit_amount: 0,
    channels: [],
  }),
  ...more,
})

export const guildOf = (id: string, name: string, channels: Channel[] = []): Guild =>
  guild.parse({
    id,
    name,
    topic: '',
    icon: '',
    user_id: '3',
    master_id: '3',
    default_channel_id: '20',
    welcome_channel_id: '0',
    boost_num: 0,
    level: 0,
    is_master: false,
    team_members: [],
    my_roles: [],
    roles: [],
    channels,
    user_config: { nickname: '', role_ids: [] },
    permissions: 842248,
  })

export const inviteOf = (more: Partial<Invite> = {}): Invite => ({
  ...invite.parse({
    guild: {
      id: '10',
      name: '星海公会',
      icon: '',
      online_count: 128,
      members_count: 2046,
      default_channel_id: '20',
    },
    inviter: { username: '安然', avatar: '', identify_num: '0003' },
    channel: null,
    joined: false,
    type: 'guild',
  }),
  ...more,
})

type Site = AnswerOf<typeof siteInfo>

/** What the server tells of the site: no lines of the operator, and of the app what is given. */
export const siteOf = (app: Partial<Site['app']> = {}): Site => ({
  app: {
    ...{ scheme: '', version: '', ios_url: '', android_url: '', ios_links: false, android_package: '' },
    ...{ wechat_app_id: '' },
    ...app,
  },
  ...{ contact: '', copyright: '', records: [] },
})
