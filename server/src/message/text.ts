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
    rolesTitle: '选择你的角色',
    rolesWords:
      '这个公会有一些角色可以自己选择，例如在哪个服、喜欢什么。现在有哪些，点按钮就能看到；之后随时可以更改。',
    chooseRoles: '选择角色',
  },
  en: {
    image: '[Picture]',
    video: '[Video]',
    audio: '[Voice message]',
    card: '[Card]',
    file: (name: string) => `[File] ${name}`,
    welcome: (name: string) => `Welcome, ${name}`,
    rolesTitle: 'Choose your roles',
    rolesWords:
      'Some roles of this guild are yours to choose, such as a server or an interest. The button shows which there are now; you may change them at any time.',
    chooseRoles: 'Choose roles',
  },
})
