import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the frame of a guild's settings. */
export const text = texts({
  'zh-CN': {
    title: '公会设置',
    sections: '设置项',
    failed: '公会设置没有加载出来',
    noRight: '你没有管理这个公会的权限',
    overview: '概览',
    members: '成员',
    channels: '频道',
    roles: '角色',
    invites: '邀请链接',
    bans: '封禁名单',
    mutes: '禁言名单',
    audit: '操作记录',
    boosts: '助力',
    danger: '转让与解散',
    choose: '从左边选择一项',
  },
  en: {
    title: 'Guild settings',
    sections: 'Sections',
    failed: 'The guild’s settings did not load',
    noRight: 'You may not manage this guild',
    overview: 'Overview',
    members: 'Members',
    channels: 'Channels',
    roles: 'Roles',
    invites: 'Invite links',
    bans: 'Bans',
    mutes: 'Mutes',
    audit: 'Audit log',
    boosts: 'Boosts',
    danger: 'Hand over and delete',
    choose: 'Choose a section on the left',
  },
})
