import { texts } from '@guildhall/wire/locale.ts'

/** Deleting one's own account. */
export const deletionText = texts({
  'zh-CN': {
    title: '注销账号',
    why: '注销后无法恢复',
    signedOut: '所有设备会退出登录',
    freed: (contact: string) => `所有设备会退出登录，${contact}可以重新注册`,
    facts: ['你会离开所有公会，名字显示为「已注销用户」', '会员、助力等权益不再保留'],
    words: '同时删除我发过的所有消息和文件',
    sure: '确定要注销账号吗？',
    sureWhy: '你的账号将被永久删除，消息会保留',
    sureWithWords: '你的账号、消息和文件将被永久删除',
    confirm: '永久注销',
    done: '账号已注销',
  },
  en: {
    title: 'Delete account',
    why: 'This cannot be undone',
    signedOut: 'All devices are signed out',
    freed: (contact: string) => `All devices are signed out; the ${contact} can register again`,
    facts: ['You leave all guilds, and your name becomes “deleted user”', 'Memberships and boosts end'],
    words: 'Delete all messages and files I have sent as well',
    sure: 'Delete your account?',
    sureWhy: 'The account is deleted for good; your messages stay',
    sureWithWords: 'The account, your messages and your files are deleted for good',
    confirm: 'Delete for good',
    done: 'The account was deleted',
  },
})
