import { texts } from '@guildhall/wire/locale.ts'

/** Texts that the pages of the shop share. copy.md "Commerce pages". */
export const text = texts({
  'zh-CN': {
    packages: '选择套餐',
    none: '暂无可购买的套餐',
    noneWhy: '请稍后再来看看',
    failed: '套餐加载失败',
    before: '原价',
    gift: '赠送好友',
  },
  en: {
    packages: 'Choose a package',
    none: 'No package is on sale',
    noneWhy: 'Please look again later',
    failed: 'The packages could not be loaded',
    before: 'Before',
    gift: 'Gift to a friend',
  },
})
