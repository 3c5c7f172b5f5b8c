import type { Template } from './shape.ts'

/** A few people who know one another. */
export const friends: Template = {
  roles: [],
  groups: [
    {
      channels: [
        { name: { 'zh-CN': '闲聊', en: 'chat' }, kind: 'text', welcomes: true },
        { name: { 'zh-CN': '照片和视频', en: 'photos' }, kind: 'text' },
        { name: { 'zh-CN': '约起来', en: 'plans' }, kind: 'text' },
        { name: { 'zh-CN': '语音', en: 'Voice' }, kind: 'voice' },
      ],
    },
  ],
}
