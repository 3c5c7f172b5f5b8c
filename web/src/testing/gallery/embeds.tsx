import { messageState } from './kmarkdown.tsx'
import type { Section } from './section.ts'

const logo = `${location.origin}/logo.svg`
const gone = `${location.origin}/no-such-picture.png`
const ADDRESS = 'https://news.example.com/2026/11/raid'

const page = (more: object = {}) => ({
  type: 'link',
  url: ADDRESS,
  title: '第三赛季开荒攻略：从零到首杀',
  description: '八人小队的站位、换坦时机和三个容易灭团的阶段，附完整录像与装备清单，看完这一篇就够了。',
  site_name: '星海攻略站',
  theme_color: '',
  image: logo,
  ...more,
})

/** Link previews; videos and pictures are in `kinds.tsx`. */
export const embeds: Section = {
  id: 'embeds',
  title: 'Embeds',
  states: [
    messageState('page', ADDRESS, { embeds: [page()] }),
    messageState('page with a colour of its own', ADDRESS, { embeds: [page({ theme_color: '#e64980' })] }),
    messageState('page whose picture is gone', ADDRESS, { embeds: [page({ image: gone })] }),
    messageState('page without a picture', ADDRESS, { embeds: [page({ image: '' })] }),
    messageState('page with a title alone', ADDRESS, {
      embeds: [page({ image: '', description: '', site_name: '' })],
    }),
    messageState('page with long words', ADDRESS, {
      embeds: [
        page({ title: '很长的标题'.repeat(30), description: 'Donaudampfschifffahrtsgesellschaft'.repeat(9) }),
      ],
    }),
    messageState('three pages and words', `看这三个 ${ADDRESS}`, {
      embeds: [page(), page({ image: '' }), page({ description: '' })],
    }),
    messageState('picture of a known size, broken', ADDRESS, {
      embeds: [{ type: 'image', url: `${location.origin}/assets/2026-11/abcdefghij05k03c.png` }],
    }),
  ],
}
