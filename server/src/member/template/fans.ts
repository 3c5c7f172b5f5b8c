import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Template } from './shape.ts'

/** Those who follow somebody or something. */
export const fans: Template = {
  roles: [
    {
      name: { 'zh-CN': '主创', en: 'Creator' },
      color: 0xc2255c,
      hoist: true,
      permissions: permission.manage_message | permission.mention_everyone,
    },
    {
      name: { 'zh-CN': '房管', en: 'Moderator' },
      color: 0x5f3dc4,
      hoist: true,
      permissions:
        permission.manage_message | permission.mute_member | permission.remove_member | permission.ban_member,
    },
  ],
  groups: [
    {
      category: { 'zh-CN': '动态', en: 'News' },
      channels: [
        { name: { 'zh-CN': '公告', en: 'announcements' }, kind: 'readOnly' },
        { name: { 'zh-CN': '新作品', en: 'releases' }, kind: 'readOnly' },
      ],
    },
    {
      category: { 'zh-CN': '社区', en: 'Community' },
      channels: [
        { name: { 'zh-CN': '闲聊', en: 'chat' }, kind: 'text', welcomes: true },
        { name: { 'zh-CN': '二创', en: 'fan-art' }, kind: 'text' },
        { name: { 'zh-CN': '线下活动', en: 'meetups' }, kind: 'text' },
      ],
    },
  ],
}
