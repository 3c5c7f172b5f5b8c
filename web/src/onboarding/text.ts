import { texts } from '@guildhall/wire/locale.ts'

/** What newcomers read. */
export const text = texts({
  'zh-CN': {
    gate: '同意公会规则后才能发言',
    read: '阅读并同意规则',
    title: '公会规则',
    failed: '公会规则没有加载出来',
    accept: '我已阅读并同意',
    accepted: '已同意规则，可以发言了',
    choose: '选择角色',
    rolesFailed: '可选角色没有加载出来',
    noRoles: '这个公会现在没有可以自己选择的角色',
    one: '单选',
    several: '可多选',
    none: '不选',
    note: '选择适合你的角色',
    close: '不再提示',
  },
  en: {
    gate: 'Accept the rules of this guild to write',
    read: 'Read and accept the rules',
    title: 'Rules of this guild',
    failed: 'The rules of this guild did not load',
    accept: 'I have read and accept them',
    accepted: 'Accepted; you may write now',
    choose: 'Choose roles',
    rolesFailed: 'The roles did not load',
    noRoles: 'This guild has no roles to choose now',
    one: 'one',
    several: 'one or more',
    none: 'None',
    note: 'Choose the roles that suit you',
    close: 'Do not show again',
  },
})
