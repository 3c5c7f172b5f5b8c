import { PICKED_PICTURE_MAX_MB } from '@guildhall/wire/asset/asset.ts'
import { texts } from '@guildhall/wire/locale.ts'

/** Why a picked picture cannot be used. */
export const iconText = texts({
  'zh-CN': {
    tooLarge: `图片不能超过 ${PICKED_PICTURE_MAX_MB} MB`,
    heic: '浏览器打不开这种图片，请换成 JPG 或 PNG',
    notPicture: '这不是图片，或图片已损坏',
  },
  en: {
    tooLarge: `A picture may have ${PICKED_PICTURE_MAX_MB} MB at most`,
    heic: 'The browser cannot open this picture; please use JPG or PNG',
    notPicture: 'This is no picture, or it is damaged',
  },
})
