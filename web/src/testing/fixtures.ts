import { type Session, session } from '@guildhall/wire/auth/auth.ts'
import { type Channel, channel, type Guild, guild } from '@guildhall/wire/channel/channel.ts'
import { friendEntry, type listFriends } from '@guildhall/wire/friend/friend.ts'
import { type Invite, invite } from '@guildhall/wire/invite/invite.ts'
import { type BillItem, billItem, type Order, order } from '@guildhall/wire/order/order.ts'
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
  avatar_frame: '' as string | undefined,
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
    banner: '',
    recommend_info: null,
    user_id: '3',
    master_id: '3',
    default_channel_id: '20',
    welcome_channel_id: '0',
    boost_num: 0,
    level: 0,
    rights: {},
    custom_id: '',
    notify_type: 1,
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
      banner: '',
      desc: '',
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

/** An order of the user's for one month of BUFF, that waits for its payment. */
export const orderOf = (more: Partial<Order> = {}): Order => ({
  ...order.parse({
    order_id: '20000000000000000001',
    code: '0123456789abcdef0123456789abcdef',
    state: 'placed',
    pay_fee: 3000,
    refund_fee: 0,
    pay_platform: 0,
    lines: [{ product_id: 1, name: 'BUFF 月卡', count: 1, price: 3000, fee: 3000 }],
    refunds: [],
    guild_id: '',
    user_id: '',
    usage_info: '',
    created_at: Date.now(),
    expires_at: Date.now() + 15 * 60_000,
    left_ms: 15 * 60_000,
    paid_at: 0,
  }),
  ...more,
})

/** The same order in the bill, paid by WeChat and granted. */
export const billItemOf = (more: Partial<BillItem> = {}): BillItem => ({
  ...billItem.parse({
    order_id: '20000000000000000001',
    usage_info: '',
    buy_info: 'BUFF 月卡',
    order_datetime: Date.now(),
    item_entities_desc: 'BUFF 月卡 × 1',
    pay_fee: 3000,
    pay_platform: 1,
    refund_fee: 0,
    state: 'granted',
  }),
  ...more,
})

type Site = AnswerOf<typeof siteInfo>

/** What the server tells of the site: no lines of the operator, and of the app what is given. */
export const siteOf = (app: Partial<Site['app']> = {}): Site => ({
  app: {
    scheme: '',
    version: '',
    ios_url: '',
    android_url: '',
    ios_links: false,
    android_package: '',
    wechat_app_id: '',
    ...app,
  },
  contact: '',
  copyright: '',
  records: [],
})

/** The answer of the list of friends. `own`: they have the product that was asked for. */
export const friendsOf = (
  friends: readonly {
    readonly id: string
    readonly username: string
    readonly identify_num?: string
    readonly spelling?: string
    readonly own?: boolean
  }[],
): AnswerOf<typeof listFriends> => ({
  request: [],
  blocked: [],
  block: [],
  all_request: [],
  relation: [],
  friend: friends.map(({ id, username, identify_num = '0001', spelling = '', own = false }) =>
    friendEntry.parse({
      id: Number(id),
      type: 'friend',
      own,
      spelling,
      created_at: 0,
      friend_info: { ...self, id, username, identify_num },
      relation_type: 0,
      relation_time: 0,
      relation_status: 0,
      friend_status: 1,
    }),
  ),
})
