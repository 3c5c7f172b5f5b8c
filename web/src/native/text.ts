import { texts } from '@guildhall/wire/locale.ts'

/** Texts about what only the app can do. copy.md "General errors". */
export const text = texts({
  'zh-CN': {
    reminder: '提醒',
    onlyInApp: '请在 APP 内使用该功能',
    gotIt: '知道了',
    fullFeatures: '打开 APP，体验完整功能',
  },
  en: {
    reminder: 'Reminder',
    onlyInApp: 'Please use this feature in the app',
    gotIt: 'Got it',
    fullFeatures: 'Open the app to experience full features',
  },
})
