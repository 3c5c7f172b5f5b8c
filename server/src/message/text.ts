import { texts } from '@guildhall/wire/locale.ts'

/** Texts that are stored with messages, in the default locale. */
export const messageText = texts({
  'zh-CN': {
    // For a message without text, where only text fits.
    image: '[图片]',
    video: '[视频]',
    audio: '[语音]',
    card: '[卡片消息]',
    file: (name: string) => `[文件] ${name}`,
    // For a welcome message, where it is not drawn as one.
    welcome: (name: string) => `欢迎 ${name} 加入`,
  },
  en: {
    image: '[Picture]',
    video: '[Video]',
    audio: '[Voice message]',
    card: '[Card]',
    file: (name: string) => `[File] ${name}`,
    welcome: (name: string) => `Welcome, ${name}`,
  },
})
