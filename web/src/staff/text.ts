import { TOTP_DIGITS } from '@guildhall/wire/auth/secondFactor.ts'
import { counted, texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { APPROVAL_MS } from '@guildhall/wire/staff/approvals.ts'
import { DAY_MS } from '@guildhall/wire/unit.ts'

/** The frame of the staff console, its login, and words that several of its sections share. */
export const text = texts({
  'zh-CN': {
    get title() {
      return `${siteName['zh-CN']}工作台`
    },
    operator: '命令行',
    noRole: '单项权限',
    nav: '工作台导航',
    logOut: '退出工作台',
    language: 'English',
    dark: '深色模式',
    light: '浅色模式',
    logIn: '登录工作台',
    loginWhy: '仅供运营人员使用。每次查看个人信息和每个操作都会被记录。',
    mobile: '手机号',
    account: '手机号、邮箱或 用户名#编号',
    password: '密码',
    secondFactor: '两步验证码',
    secondFactorHint: `验证器应用中的 ${TOTP_DIGITS} 位数字，或一个恢复码`,
    enter: '登录',
    over: '登录已失效，请重新登录',
    idle: '长时间未操作，已退出工作台',
    setUp: '如何开启两步验证',
    get setUpWhy() {
      return `用同一手机号登录${siteName['zh-CN']}，在“我的账号 · 两步验证”中开启，然后回到这里登录。`
    },
    openSetUp: '去开启',
    failed: '加载失败',
    menu: '菜单',
    nothing: '没有结果',
    nothingWhy: '换个条件再查，或检查是否输错。',
    nothingHere: '你的账号没有可用的栏目',
    notFound: '没有这个页面',
    more: '加载更多',
    search: '查询',
    clear: '清除',
    save: '保存',
    edit: '修改',
    done: '已完成',
    reason: '原因',
    reasonWhy: '会写入操作日志',
    reasonNeeded: '请填写原因',
    back: '返回',
    all: '全部',
    none: '无',
    yes: '是',
    no: '否',
    copy: '复制',
    copied: '已复制',
    waitsTitle: '已提交，等待批准',
    waitsMessage: (id: string) =>
      `这个操作还没有生效。需要另一名有相同权限的工作人员在 ${APPROVAL_MS / DAY_MS} 天内批准，编号 ${id}。`,
    openApprovals: '在“待批”中查看',
    known: '知道了',
    ends: (when: string) => `本次登录最晚到 ${when}`,
    waits: (count: string) => `${count} 项待处理`,
  },
  en: {
    operator: 'Command line',
    get title() {
      return `${siteName.en} console`
    },
    noRole: 'Single rights',
    nav: 'Sections of the console',
    logOut: 'Log out',
    language: '中文',
    dark: 'Dark',
    light: 'Light',
    logIn: 'Log in to the console',
    loginWhy: 'For staff only. Every look at personal data and every act is logged.',
    mobile: 'Phone number',
    account: 'Phone number, email, or name#digits',
    password: 'Password',
    secondFactor: 'Second factor',
    secondFactorHint: `The ${TOTP_DIGITS} digits of your authenticator app, or a recovery code`,
    enter: 'Log in',
    over: 'The session is over, log in again',
    idle: 'Logged out, because nothing was done for a while',
    setUp: 'How to turn the second factor on',
    get setUpWhy() {
      return `Log in to ${siteName.en} with the same number, turn it on under “My account · Two-step verification”, then log in here.`
    },
    openSetUp: 'Turn it on',
    failed: 'Could not be loaded',
    menu: 'Menu',
    nothing: 'Nothing found',
    nothingWhy: 'Look for something else, or check what was typed.',
    nothingHere: 'Your account has no section here',
    notFound: 'There is no such page',
    more: 'Load more',
    search: 'Search',
    clear: 'Clear',
    save: 'Save',
    edit: 'Change',
    done: 'Done',
    reason: 'Reason',
    reasonWhy: 'It is written to the staff log',
    reasonNeeded: 'Give a reason',
    back: 'Back',
    all: 'All',
    none: 'None',
    yes: 'Yes',
    no: 'No',
    copy: 'Copy',
    copied: 'Copied',
    waitsTitle: 'Handed in, and waits for approval',
    waitsMessage: (id: string) =>
      `Nothing has happened yet. Somebody else with the same right has to approve it within ${counted(APPROVAL_MS / DAY_MS, 'day')}. Its number is ${id}.`,
    openApprovals: 'See it under “Approvals”',
    known: 'OK',
    ends: (when: string) => `This login ends at ${when} at the latest`,
    waits: (count: string) => `${count} waiting`,
  },
})

/** The sections of the console. */
export const sectionText = texts({
  'zh-CN': {
    start: '首页',
    reviews: '审核',
    reports: '举报',
    approvals: '待批',
    people: '用户',
    guilds: '公会',
    orders: '订单',
    codes: '兑换码',
    products: '商品',
    numbers: '数据',
    words: '词库',
    log: '操作日志',
  },
  en: {
    start: 'Start',
    reviews: 'Reviews',
    reports: 'Reports',
    approvals: 'Approvals',
    people: 'People',
    guilds: 'Guilds',
    orders: 'Orders',
    codes: 'Codes',
    products: 'Products',
    numbers: 'Numbers',
    words: 'Words',
    log: 'Staff log',
  },
})

/** The roles of staff. */
export const roleText = texts({
  'zh-CN': { support: '客服', finance: '财务', reviewer: '审核员', administrator: '管理员' },
  en: { support: 'Support', finance: 'Finance', reviewer: 'Reviewer', administrator: 'Administrator' },
})
