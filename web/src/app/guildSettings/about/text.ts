import { texts } from '@guildhall/wire/locale.ts'

/** Texts of what moderators know of a member. */
export const text = texts({
  'zh-CN': {
    failed: '没有加载出来这个人的资料',
    notMember: '不在公会里',
    joined: (when: string) => `${when} 加入`,
    history: '操作记录',
    whom: '对此人的操作',
    who: '此人的操作',
    nothing: '没有记录',
    nothingWhy: '操作记录保留 90 天。',
  },
  en: {
    failed: 'This person did not load',
    notMember: 'not in the guild',
    joined: (when: string) => `joined ${when}`,
    history: 'History',
    whom: 'Done to them',
    who: 'Done by them',
    nothing: 'Nothing in the log',
    nothingWhy: 'The log is kept for 90 days.',
  },
})
