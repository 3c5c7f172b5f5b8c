import { texts } from '@guildhall/wire/locale.ts'

/** Texts of pictures, videos, voice and files. */
export const text = texts({
  'zh-CN': {
    picture: '图片',
    playVideo: '播放视频',
    playVoice: '播放语音',
    pictureOf: (name: string) => `图片 ${name}`,
    pictureFailed: '图片加载失败',
    tryAgain: '点按重试',
    saveOriginal: '保存原图',
    download: '下载文件',
    video: '视频',
  },
  en: {
    picture: 'Picture',
    playVideo: 'Play video',
    playVoice: 'Play voice message',
    pictureOf: (name: string) => `Picture ${name}`,
    pictureFailed: 'The picture could not be loaded',
    tryAgain: 'Tap to try again',
    saveOriginal: 'Save original',
    download: 'Download file',
    video: 'Video',
  },
})
