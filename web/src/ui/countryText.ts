import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the list of countries alone, which is loaded later than those of `kit/text.ts`. */
export const countryText = texts({
  'zh-CN': {
    noCodes: '以下国家或地区暂不支持短信验证码',
    search: '搜索国家、地区或区号',
    none: '没有匹配的国家或地区',
  },
  en: {
    noCodes: 'No verification codes are sent to these yet',
    search: 'Search a country, region or code',
    none: 'No country or region matches',
  },
})
