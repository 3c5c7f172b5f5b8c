import { texts } from '@guildhall/wire/locale.ts'
import { siteName } from '@guildhall/wire/siteName.ts'

/** Texts of the pages that open or download the app. */
export const text = texts({
  'zh-CN': {
    openApp: '打开 APP',
    inApp: '在 APP 中打开',
    invited: (who: string) => `${who} 邀请你加入`,
    why: '语音和更多功能，在 APP 中使用',
    goOn: '在浏览器中继续',
    download: '下载 APP',
    noApp: '暂时没有可下载的 APP',
    noAppWhy: '在浏览器中也能加入公会、收发消息',
    downloading: '正在打开下载页面…',
    notStarted: '没有反应？点这里下载',
    failed: '暂时无法打开下载页面',
    blocked: '这里无法下载',
    scan: '用手机扫码下载',
    scanWhy: '也可以在手机浏览器中打开本页',
    qr: (platform: string) => `${platform} 下载二维码`,
    invalid: '邀请无效',
    invalidWhy: '该邀请可能已过期或已被关闭',
    get home() {
      return `前往${siteName['zh-CN']}`
    },
    closePage: '返回 APP',
  },
  en: {
    openApp: 'Open app',
    inApp: 'Open in the app',
    invited: (who: string) => `${who} invites you to join`,
    why: 'Voice and more work in the app',
    goOn: 'Go on in the browser',
    download: 'Download APP',
    noApp: 'There is no app to download yet',
    noAppWhy: 'The browser can join guilds and talk as well',
    downloading: 'Opening the download…',
    notStarted: 'Nothing happens? Download here',
    failed: 'The download cannot be opened right now',
    blocked: 'Nothing can be downloaded here',
    scan: 'Scan with your phone to download',
    scanWhy: 'Or open this page in the browser of your phone',
    qr: (platform: string) => `QR code of the ${platform} download`,
    invalid: 'Invite invalid',
    invalidWhy: 'The invite may have expired or been closed',
    get home() {
      return `To ${siteName.en}`
    },
    closePage: 'Back to the app',
  },
})
