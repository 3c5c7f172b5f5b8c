/** The search: messages of people with and without pictures, in rooms and private chats. */
import { searchFiles, searchMessages } from '@guildhall/wire/search/search.ts'
import { chatHitOf, hitLike, hitsLike, messageLike } from '../../messages.ts'
import { night } from './guild.ts'
import { type Known, known, members } from './people.ts'
import { banners, icons } from './pictures.ts'
import type { Shown } from './screen.ts'

const IMAGE = 2
const DAY_MS = 86_400_000
const [first, second, third, longest] = known as [Known, Known, Known, Known]

const by = (of: Known) => ({ ...messageLike(1).author, ...of, nickname: of.username }) as never
const said = (seq: number, of: Known, content: string, at: number) => {
  const from = content.indexOf('火锅')
  return hitLike(seq, content, [[from, from + 2]], { author: by(of), create_at: Date.now() - at })
}
const pictured = (seq: number, content: string) =>
  hitLike(seq, content, [], { type: IMAGE, author: by(first), create_at: Date.now() - 2 * DAY_MS })

export const searchScreens: readonly Shown[] = [
  {
    name: 'search',
    at: '/search?q=火锅',
    answer: (on) =>
      on(searchMessages, () =>
        hitsLike(
          [
            said(9, first, '周六晚上去吃火锅，还有谁一起', 0),
            said(8, longest, `${'铺垫了很久，'.repeat(20)}最后还是火锅，${'说个不停，'.repeat(40)}`, 60_000),
            chatHitOf(said(7, third, '火锅吗', DAY_MS), 'c'.repeat(32)),
            said(6, second, '谜底是(spl)火锅(spl)', DAY_MS),
            pictured(5, banners.night),
          ],
          { total: 1000, more: true },
        ),
      ),
  },
  {
    name: 'search-pictures',
    at: `/search?kind=pictures&guild=${night.id}`,
    answer(on) {
      members(on, night)
      const all = [...Object.values(banners), ...Object.values(icons)]
      on(searchFiles, () => hitsLike(all.map((it, at) => pictured(20 - at, it))))
    },
  },
]
