import { texts } from '../locale.ts'

/** Texts of mentions. */
export const mentionText = texts({
  'zh-CN': {
    all: '@全体成员',
    here: '@在线成员',
    noUser: '用户不存在',
    noRole: '@已删除角色',
    noChannel: '#频道已删除',
  },
  en: {
    all: '@all members',
    here: '@online members',
    noUser: 'user does not exist',
    noRole: '@deleted role',
    noChannel: '#channel deleted',
  },
})
