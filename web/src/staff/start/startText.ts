import { texts } from '@guildhall/wire/locale.ts'
import type { Section } from '../sections.ts'

/** The start page of the console. */
export const startText = texts({
  'zh-CN': {
    hello: (name: string) => `${name}，你好`,
    counting: '正在统计待处理内容',
    waits: (count: string) => `${count} 项等你处理`,
    allDone: '都处理完了',
    allDoneWhy: '有新的内容时，这里会显示数量。',
    nothingOfYours: '你的栏目没有需要处理的内容',
    notCounted: '待处理数量加载失败',
    again: '重试',
    waiting: '待处理',
    nothing: '已处理完',
    others: '其他栏目',
  },
  en: {
    hello: (name: string) => `Hello, ${name}`,
    counting: 'Counting what waits',
    waits: (count: string) => `${count} waiting for you`,
    allDone: 'All done',
    allDoneWhy: 'What comes next is counted here.',
    nothingOfYours: 'Nothing ever waits in your sections',
    notCounted: 'What waits could not be counted',
    again: 'Try again',
    waiting: 'Waiting',
    nothing: 'Nothing waits',
    others: 'Other sections',
  },
})

const aboutZh: Readonly<Record<Section['name'], string>> = {
  reviews: '推荐公会的修改和待审消息',
  reports: '被举报的消息、用户和公会',
  approvals: '同事提交、需要你批准的操作',
  orders: '卡住的订单和未完成的退款',
  people: '查找用户，封禁、赠送和重置',
  guilds: '查找公会，推荐、关闭和变更会长',
  codes: '生成、停用兑换码，查看使用记录',
  products: '价格、上下架和计划中的修改',
  numbers: '注册、活跃、收入和退款',
  words: '拒绝发布和需要审核的词',
  log: '谁看了什么、做了什么',
}

const aboutEn: Readonly<Record<Section['name'], string>> = {
  reviews: 'Changes of recommended guilds, and held messages',
  reports: 'Messages, people and guilds that were reported',
  approvals: 'Acts of others that need your approval',
  orders: 'Orders that are stuck, and refunds that wait',
  people: 'Look people up; suspend, give, reset',
  guilds: 'Look guilds up; recommend, close, change the owner',
  codes: 'Make and pause codes, see who used them',
  products: 'Prices, what is on sale, planned changes',
  numbers: 'Registrations, activity, sales and refunds',
  words: 'Words that are refused or held',
  log: 'Who looked at what and did what',
}

/** What each section is for. */
export const sectionAboutText = texts({ 'zh-CN': aboutZh, en: aboutEn })
