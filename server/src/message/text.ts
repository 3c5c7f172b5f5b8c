/** What a message without words is called where only words fit. */
export const mediaWords = {
  image: '[图片]',
  video: '[视频]',
  audio: '[语音]',
  file: (name: string) => `[文件] ${name}`,
} as const
