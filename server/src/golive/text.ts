/** What screen sharing is said to bring, in the product's languages. */
import type { Locale } from '@guildhall/wire/locale.ts'

interface Words {
  readonly ability: readonly { readonly title: string; readonly desc: string; readonly image: string }[]
  readonly compare: readonly {
    readonly title: string
    readonly desc: string
    readonly normal_v: string
    readonly pro_v: string
  }[]
}

/** Pictures are drawn by the page. */
const image = ''

export const goliveText: Readonly<Record<Locale, Words>> = {
  'zh-CN': {
    ability: [
      { title: '高清画质', desc: '最高 1080P，细节清晰', image },
      { title: '流畅帧率', desc: '最高 60 帧，动作不卡顿', image },
      { title: '更低延迟', desc: '边看边聊，几乎同步', image },
    ],
    compare: [
      { title: '分辨率', desc: '画面的清晰程度', normal_v: '720P', pro_v: '1080P' },
      { title: '帧率', desc: '画面的流畅程度', normal_v: '30 帧', pro_v: '60 帧' },
      { title: '观看人数', desc: '同时观看的人', normal_v: '50 人', pro_v: '500 人' },
    ],
  },
  en: {
    ability: [
      { title: 'Sharp picture', desc: 'Up to 1080p, every detail', image },
      { title: 'Smooth motion', desc: 'Up to 60 frames a second', image },
      { title: 'Low delay', desc: 'Watch and talk nearly at once', image },
    ],
    compare: [
      { title: 'Resolution', desc: 'How sharp the picture is', normal_v: '720p', pro_v: '1080p' },
      { title: 'Frames', desc: 'How smooth it moves', normal_v: '30 fps', pro_v: '60 fps' },
      { title: 'Viewers', desc: 'People who watch at once', normal_v: '50', pro_v: '500' },
    ],
  },
}
