import { texts } from '@guildhall/wire/locale.ts'
import { wayText } from '@guildhall/wire/payWay.ts'
import { chartText } from '../../ui/chart/chartText.ts'

/** The numbers of the house. */
export const numbersText = texts({
  'zh-CN': {
    lead: '按北京时间逐日统计。今天的数据每分钟更新一次，尚不完整。',
    counted: (at: string) => `今天的数据更新于 ${at}`,
    notCounted: '今天的数据还在统计',
    registrations: '注册',
    active: '活跃用户',
    messages: '消息',
    orders: '订单',
    placed: '下单',
    paidOrders: '付款订单',
    gross: '收款',
    refunds: '退款',
    net: '净收入',
    ...chartText['zh-CN'],
    ...wayText['zh-CN'],
    money: '收入汇总',
    provider: '支付方式',
    all: '合计',
    yuan: '（元）',
  },
  en: {
    lead: 'By day of Beijing. Today is counted every minute and is not complete.',
    counted: (at: string) => `Today was counted at ${at}`,
    notCounted: 'Today is still being counted',
    registrations: 'Registrations',
    active: 'Active people',
    messages: 'Messages',
    orders: 'Orders',
    placed: 'Placed',
    paidOrders: 'Paid orders',
    gross: 'Received',
    refunds: 'Refunds',
    net: 'Net',
    ...chartText.en,
    ...wayText.en,
    money: 'Money',
    provider: 'Provider',
    all: 'All',
    yuan: ' (yuan)',
  },
})
