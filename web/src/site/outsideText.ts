import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** Texts of the warning before other sites. */
export const text = texts({
  'zh-CN': {
    page: '前往其他网站',
    get leaving() {
      return `你即将离开${siteName['zh-CN']}，前往其他网站`
    },
    careful: '请注意账号和财产安全',
    host: '网站',
    address: '完整地址',
    looksLike: (seems: string) =>
      `这个网址显示出来像「${seems}」，可能和你熟悉的网站相似。上面才是它真正的域名。`,
    notEncrypted: '这个网站没有加密，请不要在上面填写密码。',
    goOn: '继续访问',
    back: '返回',
    missing: '没有要打开的地址',
    missingWhy: '链接可能不完整，请回到原来的消息再试一次',
    bad: '无法打开这个链接',
    badWhy: '地址有误、过长，或不是网页地址',
    login: '已拦截这个链接',
    loginWhy: (host: string) => `地址里带有用户名或密码，常被用来冒充其他网站。它真正指向的是 ${host}`,
  },
  en: {
    page: 'Leaving for another site',
    get leaving() {
      return `You are leaving ${siteName.en} for another site`
    },
    careful: 'Mind the safety of your account and property',
    host: 'Site',
    address: 'Whole address',
    looksLike: (seems: string) =>
      `This name is displayed as “${seems}”, which may resemble a site that you know. Its real name is the one above.`,
    notEncrypted: 'This site is not encrypted. Do not enter a password there.',
    goOn: 'Continue',
    back: 'Back',
    missing: 'No address to open',
    missingWhy: 'The link may be cut off. Go back to the message and try again',
    bad: 'This link cannot be opened',
    badWhy: 'The address is wrong, too long, or none of a web page',
    login: 'This link was blocked',
    loginWhy: (host: string) =>
      `Its address has a user name or a password, which is often used to pose as another site. It really leads to ${host}`,
  },
})
