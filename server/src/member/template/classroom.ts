import { permission } from '@guildhall/wire/permission/permission.ts'
import type { Template } from './shape.ts'

/** A class or a course. */
export const classroom: Template = {
  roles: [
    {
      name: { 'zh-CN': '老师', en: 'Teacher' },
      color: 0x2b8a3e,
      hoist: true,
      permissions:
        permission.manage_message |
        permission.mute_member |
        permission.remove_member |
        permission.manage_channel |
        permission.mention_everyone,
    },
    {
      name: { 'zh-CN': '班委', en: 'Class representative' },
      color: 0x1864ab,
      hoist: true,
      permissions: permission.manage_message | permission.mention_everyone,
    },
  ],
  groups: [
    {
      category: { 'zh-CN': '班级', en: 'Class' },
      channels: [
        { name: { 'zh-CN': '通知', en: 'notices' }, kind: 'readOnly' },
        { name: { 'zh-CN': '作业', en: 'homework' }, kind: 'readOnly' },
        { name: { 'zh-CN': '资料', en: 'materials' }, kind: 'text' },
      ],
    },
    {
      category: { 'zh-CN': '讨论', en: 'Discussion' },
      channels: [
        { name: { 'zh-CN': '综合', en: 'general' }, kind: 'text', welcomes: true },
        { name: { 'zh-CN': '答疑', en: 'questions' }, kind: 'text' },
        { name: { 'zh-CN': '自习室', en: 'Study room' }, kind: 'voice' },
      ],
    },
  ],
}
