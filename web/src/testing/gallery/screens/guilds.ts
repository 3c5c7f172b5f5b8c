/** What the members of a guild see, and how guilds are found. */
import { GUILD_CATEGORIES } from '@guildhall/wire/guild/category.ts'
import { type Discoverable, listDiscoverables } from '@guildhall/wire/profile/discovery.ts'
import type { On } from '../../answers.ts'
import { longName } from '../kinds.tsx'
import { night, plain } from './guild.ts'
import { banners, icons } from './pictures.ts'
import { ofRoom } from './room.ts'
import type { Shown } from './screen.ts'

const found = (id: string, name: string, more: Partial<Discoverable>): Discoverable => ({
  id: id as never,
  name,
  icon: '',
  desc: '每晚八点一起看星星，周末放电影。新来的朋友先去公告看看怎么玩。',
  banner: '',
  category: GUILD_CATEGORIES[0],
  level: 3,
  members: 12_046,
  online: 128,
  is_member: false,
  ...more,
})
const discoverables = [
  found('10', night.name, { icon: night.icon, banner: night.banner, is_member: true }),
  found('12', '像素工坊', { icon: icons.radio, category: GUILD_CATEGORIES[1] }),
  found('11', '清晨电台', { desc: '', category: '', level: 0, members: 1, online: 0 }),
  found('13', longName.username, { icon: icons.hills, banner: banners.window }),
]
const discovery = (on: On, items: readonly Discoverable[]) =>
  on(listDiscoverables, () => ({
    items: [...items],
    categories: GUILD_CATEGORIES.slice(0, 6),
    meta: {
      page: 1,
      page_total: 1,
      page_size: 24,
      total: items.length,
    },
    sort: {},
  }))

export const guildScreens: readonly Shown[] = [
  {
    name: 'room',
    at: '/channels/10/31',
    answer: (on) => ofRoom(on, night),
  },
  {
    name: 'members',
    at: '/channels/userlist/10',
    answer: (on) => ofRoom(on, night),
  },
  {
    name: 'guild',
    at: '/channels/10',
    answer: (on) => ofRoom(on, night),
  },
  {
    name: 'guild-with-letters',
    at: '/channels/11',
    answer: (on) => ofRoom(on, plain),
  },
  {
    name: 'discovery',
    at: '/discover',
    answer: (on) => discovery(on, discoverables),
  },
  {
    name: 'discovery-of-nothing',
    at: '/discover',
    answer: (on) => discovery(on, []),
  },
]
