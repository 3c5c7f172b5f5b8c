import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { shownCounts } from '@guildhall/wire/message/notify.ts'
import { listUnread, type Unread } from '@guildhall/wire/message/readMark.ts'
import type { ReactNode } from 'react'
import { readStored } from '../kit/browser/storage.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { Badge } from '../ui/Badge.tsx'
import { ChevronIcon } from '../ui/icon/icons.tsx'
import { useScrollPosition } from '../ui/page/useScrollPosition.ts'
import styles from './ChannelsScreen.module.css'
import type { LastWordsLine } from './face/later.ts'
import { Leaf } from './Leaf.tsx'
import { text } from './text.ts'
import { useCollapsed } from './useCollapsed.ts'

/** The channels of a guild, in their categories. */
export function Tree({ guild, LastWords }: { guild: Guild; LastWords: LastWordsLine }) {
  const t = useText(text)
  const list = useScrollPosition(guild.id)
  const unread = useRouteQuery(listUnread, { guild_id: guild.id })
  const drafts = readStored('drafts') ?? {}
  const leaf = (channel: Channel) => (
    <Leaf
      key={channel.id}
      channel={channel}
      waits={unread.answer?.find((it) => it.channel_id === channel.id)}
      hasDraft={channel.id in drafts}
      LastWords={LastWords}
    />
  )
  return (
    <nav className={styles.tree} aria-label={t.channels} ref={list}>
      <ul>
        {guild.channels.map((channel) =>
          channel.is_category ? (
            <Category key={channel.id} category={channel} unread={unread.answer ?? []} leaf={leaf} />
          ) : (
            leaf(channel)
          ),
        )}
      </ul>
    </nav>
  )
}

/** A category; what is unread in it stays visible while it is closed. */
function Category(props: {
  category: Channel
  unread: readonly Unread[]
  leaf: (channel: Channel) => ReactNode
}) {
  const { category, leaf } = props
  const t = useText(text)
  const [isClosed, toggle] = useCollapsed(category.id)
  const unread = props.unread.filter(
    (it) =>
      shownCounts(it).unread + shownCounts(it).mentions > 0 &&
      category.channels.some(({ id }) => id === it.channel_id),
  )
  const mentions = unread.reduce((sum, it) => sum + shownCounts(it).mentions, 0)
  const shown = isClosed
    ? category.channels.filter(({ id }) => unread.some((it) => it.channel_id === id))
    : category.channels
  return (
    <li className={styles.category}>
      <h2>
        <button
          type="button"
          className={styles.categoryHead}
          aria-expanded={!isClosed}
          aria-label={isClosed && mentions > 0 ? `${category.name} ${t.mentions(mentions)}` : undefined}
          onClick={toggle}
        >
          <ChevronIcon size={16} className={styles.categoryChevron} />
          <span>{category.name}</span>
          {isClosed && mentions > 0 && <Badge count={mentions} />}
        </button>
      </h2>
      {shown.length > 0 && <ul>{shown.map(leaf)}</ul>}
    </li>
  )
}
