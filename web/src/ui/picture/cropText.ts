import { texts } from '@guildhall/wire/locale.ts'

export const cropText = texts({
  'zh-CN': { area: '图片位置，用方向键移动', zoom: '缩放' },
  en: { area: 'Position of the picture; move it with the arrow keys', zoom: 'Zoom' },
})
