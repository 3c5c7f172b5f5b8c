import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the menu of the user. */
export const menuText = texts({
  'zh-CN': {
    me: '我',
    account: '我的账号',
    friends: '好友',
    verify: '验证',
    logout: '退出登录',
    logoutTitle: '确定要退出登录吗？',
    logoutWords: '未发送的草稿会被清除',
    bill: '账单',
  },
  en: {
    me: 'Me',
    account: 'My account',
    friends: 'Friends',
    verify: 'Verify',
    logout: 'Log out',
    logoutTitle: 'Log out?',
    logoutWords: 'Unsent drafts will be cleared',
    bill: 'Bill',
  },
})
