import { type Locale, texts } from '@guildhall/wire/locale.ts'
import type { Part } from './DocumentPage.tsx'

const parts = (...pairs: [string, string][]): Part[] =>
  pairs.map(([title, content]) => ({ title, words: content }))

/** The landing page and the two documents. */
export const text = texts({
  'zh-CN': {
    product: '公会厅',
    slogan: '和朋友，在同一个大厅里',
    about: '加入公会，进频道聊天。一条邀请链接，就能把朋友叫来。',
    login: '登录',
    enter: '进入公会厅',
    ended: '登录已失效，请重新登录',
    terms: '用户协议',
    privacy: '隐私政策',
    licenses: '开源许可',
    notFound: '页面不存在',
    notFoundWhy: '链接可能已失效，或地址有误',
    home: '回到首页',
    language: 'English',
  },
  en: {
    product: 'Guildhall',
    slogan: 'One hall for you and your friends',
    about: 'Join a guild, step into a channel, talk. One invite link brings everybody along.',
    login: 'Log in',
    enter: 'Enter Guildhall',
    ended: 'Your session has ended. Please log in again.',
    terms: 'Terms of service',
    privacy: 'Privacy policy',
    licenses: 'Licences',
    notFound: 'Page not found',
    notFoundWhy: 'The link may be old, or the address mistyped',
    home: 'Back to the start',
    language: '中文',
  },
})

/** The terms and the privacy policy. They state only what this software does with the user's data. */
export const documents = {
  terms: {
    'zh-CN': parts(
      ['账号', '账号与你的手机号绑定。请妥善保管密码和验证码，不要转借他人使用。'],
      [
        '内容',
        '你发送的内容由你负责。不得发布违法、侵权、骚扰或欺诈信息。公会的管理者可以删除其公会内的消息，也可以移出成员。',
      ],
      ['服务', '我们会尽力保证服务可用，但不保证不间断。违反本协议的账号可能被限制或封禁。'],
      ['退出', '你可以随时退出登录或停止使用。'],
    ),
    en: parts(
      [
        'Your account',
        'An account belongs to your phone number. Keep your password and codes to yourself and do not lend the account.',
      ],
      [
        'What you post',
        'You answer for what you send. Nothing unlawful, infringing, harassing or fraudulent. Those who run a guild may remove messages and members from it.',
      ],
      [
        'The service',
        'We do our best to keep it running and promise no more than that. Accounts that break these terms may be limited or banned.',
      ],
      ['Leaving', 'You may log out or stop at any time.'],
    ),
  },
  privacy: {
    'zh-CN': parts(
      ['我们保存什么', '手机号、用户名、头像、你加入的公会，以及你发送的消息。密码只以不可逆的形式保存。'],
      ['用来做什么', '手机号用于登录和验证；消息用于展示给同一频道里有权查看的人。我们不出售这些信息。'],
      [
        '保存在你手机里的',
        '登录凭证、主题与语言、未发送的草稿，以及上次获取验证码的时间和号码。退出登录会清除凭证和草稿。',
      ],
      ['你的选择', '你可以向运营方要求查看、更正或删除你的信息。'],
    ),
    en: parts(
      [
        'What is kept',
        'Your phone number, name, picture, the guilds you joined and the messages you send. A password is kept only in a form that cannot be turned back.',
      ],
      [
        'What it is for',
        'The number is for logging in and verifying; messages are shown to those who may see the channel. None of it is sold.',
      ],
      [
        'What stays on your phone',
        'The session, theme and language, unsent drafts and when and for which number a code was last asked for. Logging out clears the session and the drafts.',
      ],
      [
        'Your choice',
        'You may ask whoever runs this service to show, correct or delete what is kept about you.',
      ],
    ),
  },
} as const satisfies Record<string, Readonly<Record<Locale, readonly Part[]>>>
