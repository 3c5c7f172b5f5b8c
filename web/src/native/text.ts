import { texts } from '@guildhall/wire/locale.ts'

/** Texts about the native app. copy.md "Channels and members", "Text room", "General errors". */
export const text = texts({
  'zh-CN': {
    openApp: '打开 APP',
    opening: '正在打开 APP…',
    reminder: '提醒',
    voice: '打开 APP，畅享 96K 高音质语音',
    media: '打开 APP，体验完整功能',
    gotIt: '知道了',
    openInApp: '请在 APP 内打开',
    notOpened: 'APP 没有打开，可能还没有安装',
    useInApp: '请在 APP 内使用该功能',
    noAnswer: 'APP 没有回应，请稍后再试',
    refused: 'APP 拒绝了这次操作',
    noGuildId: '没有服务器 ID',
    download: '下载文件',
    downloadApp: '下载 APP',
  },
  en: {
    openApp: 'Open app',
    opening: 'Opening the app…',
    reminder: 'Reminder',
    voice: 'Open the app for 96K voice',
    media: 'Open the app to experience full features',
    gotIt: 'Got it',
    openInApp: 'Please open in the app',
    notOpened: 'The app did not open. It may not be installed.',
    useInApp: 'Please use this feature in the app',
    noAnswer: 'The app did not answer. Please try again later.',
    refused: 'The app refused this',
    noGuildId: 'No server ID',
    download: 'Download file',
    downloadApp: 'Download APP',
  },
})
