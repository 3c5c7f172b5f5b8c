/** What stands for a message without text where only text fits. */
export const mediaWords = {
  image: '[图片]',
  video: '[视频]',
  audio: '[语音]',
  card: '[卡片消息]',
  file: (name: string) => `[文件] ${name}`,
} as const

/** What a welcome message says where it is not drawn as one. */
export const welcomeWords = (name: string): string => `欢迎 ${name} 加入`
