import { type Locale, texts } from '@guildhall/wire/locale.ts'

/** Texts of the list of countries alone, which is loaded later than those of `kit/text.ts`. */
export const countryText = texts({
  'zh-CN': {
    title: '国家或地区',
    noCodes: '以下国家或地区暂不支持短信验证码',
    search: '搜索国家、地区或区号',
    none: '没有匹配的国家或地区',
    unknown: (code: string) => `没有区号为 +${code} 的国家或地区`,
  },
  en: {
    title: 'Country or region',
    noCodes: 'No verification codes are sent to these yet',
    search: 'Search a country, region or code',
    none: 'No country or region matches',
    unknown: (code: string) => `No country or region has the code +${code}`,
  },
})

/** Regions whose name here differs from the browser's. */
export const regionNames: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  'zh-CN': { HK: '中国香港', MO: '中国澳门', TW: '中国台湾' },
  en: { HK: 'Hong Kong, China', MO: 'Macao, China', TW: 'Taiwan, China' },
}
