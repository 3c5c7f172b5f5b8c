import { texts } from '@guildhall/wire/locale.ts'

/** Own messages that wait for staff, or were rejected. Decision 82. */
export const heldText = texts({
  'zh-CN': {
    held: '审核中，仅自己可见',
    takeBack: '撤回',
    rejected: '未通过审核',
    copy: '复制',
    copied: '已复制',
    notCopied: '无法复制',
    remove: '删除',
  },
  en: {
    held: 'In review, only you see it',
    takeBack: 'Take back',
    rejected: 'Not approved',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'It could not be copied',
    remove: 'Delete',
  },
})
