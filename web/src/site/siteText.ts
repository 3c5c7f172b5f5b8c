import { texts } from '@guildhall/wire/locale.ts'

/** The pages around the product. */
export const text = texts({
  'zh-CN': {
    home: '首页',
    myGuilds: '我的公会',
    invited: '邀请已保存',
    invitedTo: (guild: string) => `登录后即可加入「${guild}」`,
    invitedWhy: '登录后会自动加入邀请你的公会',
    login: '登录 / 注册',
    notNow: '暂不加入',
    joining: '正在加入公会',
    activity: '7·17 大厅灯火夜',
    activityPicture: '7·17 大厅灯火夜：叫上朋友，一起来坐坐；每个公会，都亮着一盏灯。',
    refund: 'BUFF 会员退款',
    refundWords: 'BUFF 会员退款通道将于 2024 年 7 月 1 日开放',
    toHome: '回到首页',
  },
  en: {
    home: 'Home',
    myGuilds: 'My guilds',
    invited: 'Invitation kept',
    invitedTo: (guild: string) => `Log in to join ${guild}`,
    invitedWhy: 'Log in, and you join the guild that invited you',
    login: 'Log in or register',
    notNow: 'Not now',
    joining: 'Joining the guild',
    activity: '7·17 lights in the hall',
    activityPicture:
      '7·17 lights in the hall: bring your friends and sit down; every guild keeps a light on.',
    refund: 'BUFF refunds',
    refundWords: 'The BUFF membership refund channel opens on 1 July 2024',
    toHome: 'Back to the start',
  },
})
