import { counted, texts } from '@guildhall/wire/locale.ts'
import { SEARCH_REASON_MIN } from '@guildhall/wire/staff/messageSearch.ts'

/** The search in what was reported. */
export const messageSearchText = texts({
  'zh-CN': {
    title: '搜索消息',
    lead: (where: string) => `搜索范围：${where}。搜索内容和原因会写入操作日志。`,
    kept: '举报时保存的私信内容',
    query: '搜索内容',
    queryHint: '词语，或 from:用户',
    queryNeeded: '请输入搜索内容',
    reasonHint: '例如：核实举报',
    reasonNeeded: `请写明原因，至少 ${SEARCH_REASON_MIN} 个字`,
    theirs: (name: string) => `只看 ${name} 的消息`,
    search: '搜索',
    searching: '正在搜索…',
    results: '找到的消息',
    found: (n: number) => `找到 ${n} 条消息`,
    firstOnes: (n: number) => `显示最新的 ${n} 条，还有更早的：多写几个词，或用 before:日期`,
    none: '没有找到消息',
    noneWhy: '每个词都要出现；已删除的消息搜不到。',
  },
  en: {
    title: 'Search messages',
    lead: (where: string) =>
      `Searches in: ${where}. What you search for and the reason are written to the staff log.`,
    kept: 'what was kept of the private conversation',
    query: 'Search for',
    queryHint: 'Words, or from:name',
    queryNeeded: 'Enter what to search for',
    reasonHint: 'Such as: to verify the report',
    reasonNeeded: `Give a reason of at least ${SEARCH_REASON_MIN} characters`,
    theirs: (name: string) => `Only messages of ${name}`,
    search: 'Search',
    searching: 'Searching…',
    results: 'Messages that were found',
    found: (n: number) => `${counted(n, 'message')} found`,
    firstOnes: (n: number) =>
      `The newest ${n} are shown, and there are older ones: add words, or before:date`,
    none: 'No message was found',
    noneWhy: 'Every word has to be there. Deleted messages are not found.',
  },
})
