import { counted, texts } from '@guildhall/wire/locale.ts'

/** What charts of days say, and what stands around them. */
export const chartText = texts({
  'zh-CN': {
    range: '范围',
    days: (n: number) => `最近 ${n} 天`,
    csv: '下载 CSV',
    day: '日期',
    now: '本期',
    before: '上期',
    noBefore: '上期没有数据',
    change: (percent: string) => `较上期 ${percent}`,
    same: '与上期持平',
    sum: (text: string) => `合计 ${text}`,
    average: (text: string) => `日均 ${text}`,
  },
  en: {
    range: 'Range',
    days: (n: number) => `Last ${counted(n, 'day')}`,
    csv: 'Download CSV',
    day: 'Day',
    now: 'This period',
    before: 'Period before',
    noBefore: 'Nothing in the period before',
    change: (percent: string) => `${percent} to the period before`,
    same: 'As in the period before',
    sum: (text: string) => `${text} in all`,
    average: (text: string) => `${text} a day`,
  },
})
