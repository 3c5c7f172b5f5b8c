import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the rings around faces. */
export const frameText = texts({
  'zh-CN': {
    title: '头像框',
    none: '无',
    gold: '鎏金',
    jade: '青玉',
    sky: '晴空',
    dusk: '暮霞',
    rose: '蔷薇',
    why: '在聊天、成员和好友列表中显示。会员到期后自动隐藏，再次开通时恢复。',
    whyNot: '开通 BUFF 后即可使用，先看看戴上的样子。',
    saving: '正在保存…',
    saved: '已保存',
    failed: (why: string) => `未保存：${why}`,
  },
  en: {
    title: 'Avatar frame',
    none: 'None',
    gold: 'Gold',
    jade: 'Jade',
    sky: 'Sky',
    dusk: 'Dusk',
    rose: 'Rose',
    why: 'Shown in chats and in lists of members and friends. It hides when BUFF ends, and comes back with it.',
    whyNot: 'For members of BUFF: this is how you would look.',
    saving: 'Saving…',
    saved: 'Saved',
    failed: (why: string) => `Not saved: ${why}`,
  },
})
