import { texts } from '@guildhall/wire/locale.ts'

/** Texts of lists that are put in order. */
export const sortableText = texts({
  'zh-CN': {
    move: (name: string) => `移动 ${name}`,
    up: (name: string) => `上移 ${name}`,
    down: (name: string) => `下移 ${name}`,
    now: (name: string, n: number, of: number) => `「${name}」现在是第 ${n} 个，共 ${of} 个`,
    how: '拖动可以排序；点一下后用按钮移动，键盘用上下方向键、Home 和 End',
  },
  en: {
    move: (name: string) => `Move ${name}`,
    up: (name: string) => `Move ${name} up`,
    down: (name: string) => `Move ${name} down`,
    now: (name: string, n: number, of: number) => `“${name}” is number ${n} of ${of}`,
    how: 'Drag to change the order; a tap shows buttons, and the arrow keys, Home and End move it, too',
  },
})
