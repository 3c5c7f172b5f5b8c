/**
 * Cards of every kind and state, as bots send them: for the gallery of the development page, and for tests.
 */
const HOUR_MS = 3_600_000

/** Where the pictures and files of the gallery are. `code`: an invite. `now`: ms. */
export interface Props {
  readonly picture: string
  readonly tall: string
  readonly file: string
  readonly audio: string
  readonly video: string
  readonly code: string
  readonly now: number
}

const km = (content: string) => ({ type: 'kmarkdown', content })
const button = (text: string, more: object = {}) => ({ type: 'button', text, ...more })
const LONG = '没有空格的很长很长的一段话'.repeat(12)
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

/** Each card message by name; a value that is not an array is invalid. */
export function cardsOf({
  picture,
  tall,
  file,
  audio,
  video,
  code,
  now,
}: Props): Readonly<Record<string, unknown>> {
  const image = { type: 'image', src: picture }
  const card = (more: object, ...modules: unknown[]) => [{ type: 'card', ...more, modules }]
  return {
    words: card(
      { theme: 'primary' },
      { type: 'header', text: '今晚八点，团本集合' },
      {
        type: 'section',
        text: km(
          '**准时开打**，迟到的自己补票。规则在 [公告](https://example.com/rules)，暗号 (spl)番茄(spl)',
        ),
        accessory: { ...image, size: 'sm', circle: true, alt: '会长' },
      },
      { type: 'section', mode: 'left', text: '左边一张大图', accessory: image },
      { type: 'divider' },
      { type: 'context', elements: [image, '由机器人发送', km('*第 3 期*')] },
    ),
    columns: card(
      { theme: 'info' },
      {
        type: 'section',
        text: {
          type: 'paragraph',
          cols: 3,
          fields: [km('**名称**\n天空要塞'), km('**难度**\n史诗'), km('**人数**\n24 / 30')],
        },
        accessory: button('报名', { theme: 'success', click: 'return-val', value: 'join' }),
      },
      { type: 'section', text: { type: 'paragraph', cols: 2, fields: ['坦克 2', '治疗 5', LONG, WORD] } },
    ),
    buttons: card(
      { theme: 'secondary' },
      {
        type: 'action-group',
        elements: [
          button('参加', { click: 'return-val', value: 'yes' }),
          button('不参加', { theme: 'danger', click: 'return-val', value: 'no' }),
          button('详情', { theme: 'info', click: 'link', value: 'https://example.com/' }),
          button('只是看看', { theme: 'secondary' }),
        ],
      },
      {
        type: 'action-group',
        elements: [
          button('成功', { theme: 'success', click: 'return-val', value: 'a' }),
          button('警告', { theme: 'warning', click: 'return-val', value: 'b' }),
          button('自定颜色', { color: '#f2d16b', click: 'return-val', value: 'c' }),
          button('一个字数正好到上限的按钮一个字数正好到上限的按钮', { click: 'return-val', value: 'd' }),
        ],
      },
    ),
    pictures: card(
      { theme: 'warning' },
      { type: 'image-group', elements: [image, image, image, image, image] },
      { type: 'container', elements: [{ ...image, alt: '合影' }] },
    ),
    files: card(
      { theme: 'success' },
      { type: 'file', src: file, title: '副本攻略（最终版）（真的最终版）.pdf', size: 2_411_724 },
      { type: 'audio', src: audio, title: '战歌', cover: picture, duration: 187, size: 4_200_000 },
      { type: 'audio', src: audio, title: '没有封面的歌' },
      { type: 'video', src: video, title: '首杀录像', cover: picture, duration: 3723, size: 88_000_000 },
      { type: 'video', src: video, title: WORD },
    ),
    countdowns: card(
      { theme: 'danger' },
      { type: 'section', text: '距离活动开始' },
      { type: 'countdown', mode: 'day', endTime: now + 50 * HOUR_MS },
      { type: 'countdown', mode: 'hour', endTime: now + 5 * HOUR_MS },
      { type: 'countdown', mode: 'second', startTime: now - 30_000, endTime: now + 60_000 },
    ),
    ended: card({ theme: 'danger' }, { type: 'countdown', mode: 'hour', endTime: now - HOUR_MS }),
    invites: card({ theme: 'none' }, { type: 'invite', code }, { type: 'invite', code: 'nobody1' }),
    folded: card(
      { color: '#853efd' },
      { type: 'header', text: '很高的一张卡片' },
      ...Array.from({ length: 14 }, (_, n) => ({
        type: 'section',
        text: `第 ${n + 1} 条规则：先看完再说话`,
      })),
      { type: 'action-group', elements: [button('同意', { click: 'return-val', value: 'agree' })] },
    ),
    frameless: card(
      { theme: 'invisible' },
      { type: 'header', text: '没有边框' },
      { type: 'section', text: km('只有 ~~内容~~ `文字`') },
      { type: 'container', elements: [{ type: 'image', src: tall }] },
    ),
    several: [
      { type: 'card', theme: 'primary', size: 'sm', modules: ['一'] },
      { type: 'card', theme: 'danger', modules: [LONG] },
      { type: 'card', modules: [] },
    ],
    missing: card(
      {},
      {
        type: 'section',
        text: '图片已经不在了',
        accessory: { type: 'image', src: '/assets/2026-01/gone000000a000a0.png' },
      },
      { type: 'container', elements: [{ type: 'image', src: '/assets/2026-01/gone0000000a000a.png' }] },
    ),
    broken: { type: 'card', modules: 'none' },
  }
}
