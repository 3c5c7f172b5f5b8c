import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Template } from './shape.ts'

/** A team or a guild of a game. */
export const game: Template = {
  roles: [
    {
      name: { 'zh-CN': '团长', en: 'Leader' },
      color: 0xd9480f,
      hoist: true,
      permissions:
        permission.manage_message |
        permission.mute_member |
        permission.remove_member |
        permission.manage_invite |
        permission.mention_everyone,
    },
    { name: { 'zh-CN': '队员', en: 'Team' }, color: 0x1864ab, hoist: true, permissions: 0 },
  ],
  groups: [
    {
      category: { 'zh-CN': '信息', en: 'Information' },
      channels: [
        { name: { 'zh-CN': '公告', en: 'announcements' }, kind: 'readOnly' },
        { name: { 'zh-CN': '攻略', en: 'guides' }, kind: 'text' },
      ],
    },
    {
      category: { 'zh-CN': '聊天', en: 'Talk' },
      channels: [
        { name: { 'zh-CN': '综合', en: 'general' }, kind: 'text', welcomes: true },
        {
          name: { 'zh-CN': '组队', en: 'looking-for-group' },
          topic: { 'zh-CN': '写上时间、模式和缺几个人', en: 'Say when, which mode and how many are missing' },
          kind: 'text',
        },
      ],
    },
    {
      category: { 'zh-CN': '开黑', en: 'Play' },
      channels: [
        { name: { 'zh-CN': '一队', en: 'Team 1' }, kind: 'voice' },
        { name: { 'zh-CN': '二队', en: 'Team 2' }, kind: 'voice' },
      ],
    },
  ],
}
