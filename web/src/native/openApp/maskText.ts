import { texts } from '@guildhall/wire/locale.ts'

/** Texts of the mask over a page in a chat app. */
export const text = texts({
  'zh-CN': {
    openInBrowser: '请点击右上角，选择「在浏览器中打开」',
    continueHere: '在此继续',
  },
  en: {
    openInBrowser: 'Tap the menu at the top right and choose “Open in browser”',
    continueHere: 'Continue here',
  },
})
