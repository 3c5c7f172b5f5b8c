/** Texts of the demo world: its people, guilds, channels and conversation. */
import { siteName } from '@guildhall/wire/siteName.ts'

export const people = {
  owner: { username: '小满', mobile: '13800000001' },
  admin: { username: '阿澈', mobile: '13800000002' },
  member: { username: '南枝', mobile: '13800000003' },
  unverified: { username: '路过的猫', mobile: '13800000004' },
  muted: { username: '话太多', mobile: '13800000005' },
  outsider: { username: '新来的阿宁', mobile: '13800000006' },
  staff: { username: '值班员', mobile: '13800000007' },
} as const

export const demoGuilds = {
  demo: {
    name: '深夜电台',
    topic: '晚上十点以后，说点轻的。',
    welcome: '欢迎',
    rules: '公告',
    talk: '聊天',
    main: '闲聊',
    side: '夜宵',
    backstage: '后台',
    private: '值班室',
    listen: '一起听',
    voice: '点歌台',
  },
  quiet: { name: '周末羽毛球', topic: '每周六下午，三号场。', main: '约球' },
  grand: { name: '像素工坊', topic: '画一点，再画一点。', main: '作品' },
} as const

export const roles = { admin: '管理员', host: '主播', muted: '禁言', curator: '策展人' } as const

type Speaker = keyof typeof people

/**
 * Who says what, and how many minutes before now. `{name}` mentions someone of the demo world, `{#side}` a
 * channel.
 */
export const conversation: readonly (readonly [Speaker, number, string])[] = [
  ['owner', 1506, '今晚的主题定了：**第一次坐夜车**。有故事的先占个座。'],
  ['member', 1504, '我！大学第一年回家，硬座十七个小时，对面大叔给我剥了一路橘子'],
  ['member', 1503, '到现在闻到橘子皮的味道都会困'],
  ['admin', 1499, '哈哈哈橘子催眠法'],
  ['owner', 1497, '{member} 这个可以当开场，到时候你来讲？'],
  ['member', 1495, '那我得先把大叔的口音练一练'],
  ['muted', 190, '有人知道上周那首结尾曲叫什么吗，钢琴的'],
  ['admin', 186, '《雨停之前》，歌单在 {#side} 里'],
  ['muted', 185, '谢谢！找了一周'],
  ['owner', 74, '提醒一下，节目开始前十分钟请把问题发在这里，我会挑三个念'],
  ['member', 62, '问题一：夜车上最难忘的一句话是什么？'],
  ['admin', 61, '问题二：~~为什么总有人带烧鸡~~ 有没有一次差点坐过站'],
  ['owner', 58, '烧鸡那个我留着当彩蛋'],
  ['member', 21, '刚下班，赶上了吗'],
  ['owner', 20, '还有四十分钟，先去吃口热的'],
  ['member', 19, '楼下馄饨，三分钟就好，等我'],
  ['admin', 6, '麦已经调好了，今天声音会比上次干净'],
  ['owner', 2, '好，一会儿见。新来的朋友直接在这里打招呼就行 👋'],
]

export const announcement = '每晚 22:30 开播。*请理性发言，文明交流*。想上节目的，在 {#main} 里留一句就好。'
export const backstage = '今晚的名单：先念橘子，再念坐过站，烧鸡放最后。'
export const court = '这周六还差两个人，谁来？'
export const gallery = '新一期的主题是「窗外」，十六色，周日晚上截止。'

/** The demo guild's bot, and what it says. */
export const greeter = {
  name: '小灯',
  greeting: (mention: string) =>
    `${mention} 来啦，欢迎！我是这里的机器人，一直亮着。发一句话试试，提到我也会回答。`,
  answer: '在的。想看看还有什么，可以点左上角的频道列表，或者左边的「发现」。',
} as const

/** What the operator of the demo world says on its pages. */
export const operator = {
  contact: '商务合作：hello@guildhall.example',
  get copyright() {
    return `© 2026 ${siteName['zh-CN']}演示站`
  },
  records: [{ text: '演示备案号：示例 ICP 备 00000000 号', url: '' }],
} as const

export const banner = {
  invite: '演示邀请  Demo invite',
  codes: '短信验证码  SMS codes',
  sandbox: '支付沙箱  Payment sandbox',
  inBrowser: '在浏览器里购买  to buy in a browser: PURCHASE_IN_BROWSER=1 npm start',
  inApp: '在演示 APP 里购买  to buy in the demo app',
  people: '可登录的人  People you can log in as',
  console: '工作台  Staff console',
  journeys: '试一试  Three ways to begin',
  guest:
    '客人：打开演示邀请，用新号码注册，发一句话  Guest: open the invite, register a new number, say something',
  buyer:
    '买家：在演示 APP 里以 member 登录，开通 BUFF，再看账单  Buyer: log in as member in the demo app, buy BUFF, see the bill',
  keeper: '会长：以 owner 登录，点开公会菜单  Owner: log in as owner and open the guild’s menu',
} as const

/**
 * Packs that the demo guild's people use on it, and how many days ago: its level falls when the older ones
 * end.
 */
export const boosts = [
  { who: 'member', count: 12, daysAgo: 26 },
  { who: 'owner', count: 6, daysAgo: 19 },
  { who: 'admin', count: 8, daysAgo: 9 },
  { who: 'member', count: 4, daysAgo: 2 },
] as const

/** What is sold; prices are in fen. */
export const products = [
  {
    kind: 'buff',
    name: 'BUFF 月卡',
    price: 1800,
    origin_price: 0,
    discount_label: '',
    buy_tip: '有效期 30 天',
    translations: { en: { name: 'BUFF, 1 month', discount_label: '', buy_tip: 'For 30 days' } },
    details: { days: 30 },
  },
  {
    kind: 'buff',
    name: 'BUFF 季卡',
    price: 4800,
    origin_price: 5400,
    discount_label: '省 6 元',
    buy_tip: '有效期 90 天',
    translations: { en: { name: 'BUFF, 3 months', discount_label: 'Save ¥6', buy_tip: 'For 90 days' } },
    details: { days: 90 },
  },
  {
    kind: 'buff',
    name: 'BUFF 年卡',
    price: 16800,
    origin_price: 21600,
    discount_label: '省 48 元',
    buy_tip: '有效期 365 天',
    translations: { en: { name: 'BUFF, 1 year', discount_label: 'Save ¥48', buy_tip: 'For 365 days' } },
    details: { days: 365 },
  },
  {
    kind: 'buff',
    name: 'BUFF 连续包月',
    price: 1500,
    origin_price: 1800,
    discount_label: '省 3 元',
    buy_tip: '每月自动续费，可随时关闭',
    translations: {
      en: {
        name: 'BUFF, monthly',
        discount_label: 'Save ¥3',
        buy_tip: 'Renews every month, ends when you like',
      },
    },
    period_buy: true,
    details: { days: 30 },
  },
  {
    kind: 'boost',
    name: '助力包',
    price: 3000,
    origin_price: 0,
    discount_label: '',
    buy_tip: '使用后有效 30 天',
    translations: { en: { name: 'Boost pack', discount_label: '', buy_tip: 'For 30 days from its use' } },
    details: { packs: 1 },
  },
  {
    kind: 'golive',
    name: '屏幕分享 标准版 30 天',
    price: 900,
    origin_price: 0,
    discount_label: '',
    buy_tip: '',
    translations: { en: { name: 'Screen sharing Standard, 30 days', discount_label: '', buy_tip: '' } },
    group_id: 10_015,
    details: { type: 'normal', days: 30 },
  },
  {
    kind: 'golive',
    name: '屏幕分享 标准版 90 天',
    price: 2400,
    origin_price: 2700,
    discount_label: '省 3 元',
    buy_tip: '',
    translations: {
      en: { name: 'Screen sharing Standard, 90 days', discount_label: 'Save ¥3', buy_tip: '' },
    },
    group_id: 10_015,
    details: { type: 'normal', days: 90 },
  },
  {
    kind: 'golive',
    name: '屏幕分享 专业版 30 天',
    price: 1800,
    origin_price: 0,
    discount_label: '',
    buy_tip: '',
    translations: { en: { name: 'Screen sharing Pro, 30 days', discount_label: '', buy_tip: '' } },
    group_id: 10_016,
    details: { type: 'pro', days: 30 },
  },
  {
    kind: 'golive',
    name: '屏幕分享 专业版 90 天',
    price: 4800,
    origin_price: 5400,
    discount_label: '省 6 元',
    buy_tip: '',
    translations: { en: { name: 'Screen sharing Pro, 90 days', discount_label: 'Save ¥6', buy_tip: '' } },
    group_id: 10_016,
    details: { type: 'pro', days: 90 },
  },
] as const
