import { type Channel, type ChannelType, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { flat } from '@guildhall/wire/channel/flat.ts'
import { deleteChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useListPosition } from '../kit/browser/useListPosition.ts'
import { useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { Button } from '../ui/Button.tsx'
import { NextIcon, TextChannelIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { SortableList } from '../ui/sortable/SortableList.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { GoneState } from '../ui/state/GoneState.tsx'
import styles from './ChannelsSettings.module.css'
import { ChannelPage } from './settings/ChannelPage.tsx'
import { mayManage, mayOpen } from './settings/categories.ts'
import { TreeDrawing } from './settings/drawings.tsx'
import { NewChannelSheet } from './settings/NewChannelSheet.tsx'
import { moveOf, rowsOf, spansOf, stepOf } from './settings/order.ts'
import { settingsText, slowLabel } from './settings/settingsText.ts'
import { useChannelOrder } from './settings/useChannels.ts'
import { text } from './text.ts'

/**
 * The channels of a guild in their order and categories, which change by hand, and with `channel` in the
 * query the page of one.
 */
export default function ChannelsSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const [query] = useSearchParams()
  const chosen = query.get('channel')
  const onOpen = useListPosition(chosen === null)
  // The event may take the page away before the answer leads back from it.
  const removal = useCall(deleteChannel)
  if (chosen === null) return <ChannelList guild={guild} onOpen={onOpen} />
  const channel = flat(guild.channels).find(({ id }) => id === chosen)
  if (channel) return <ChannelPage key={chosen} guild={guild} channel={channel} removal={removal} />
  return <GoneState icon={<TreeDrawing />} title={t.gone} message={t.goneWhy} back={t.back} />
}

function ChannelList({ guild, onOpen }: { guild: Guild; onOpen: () => void }) {
  const t = useText(settingsText)
  const { noChannel, channels: label } = useText(text)
  const [making, setMaking] = useState<ChannelType | null>(null)
  const { channels, move } = useChannelOrder(guild)
  const rows = rowsOf(channels)
  const items = rows.map((channel) => ({
    key: channel?.id ?? 'none',
    name: channel?.name ?? t.outside,
    isFixed: !channel || !mayManage(channel),
    isHeading: !channel,
    channel,
  }))
  const moveTo = (item: (typeof items)[number], to: number) => moveOf(channels, items.indexOf(item), to)
  return (
    <>
      {mayManage(guild) && (
        <div className={styles.make}>
          <Button onPress={() => setMaking(channelType.text)}>{t.newChannel}</Button>
          <Button kind="soft" onPress={() => setMaking(channelType.category)}>
            {t.newCategory}
          </Button>
        </div>
      )}
      {channels.length === 0 ? (
        <EmptyState icon={<TreeDrawing />} title={noChannel} message={t.noneWhy} />
      ) : (
        <>
          <SortableList
            label={label}
            items={items}
            stepOf={(at, by) => stepOf(channels, at, by)}
            spansOf={(at) => spansOf(channels, at)}
            said={(item, to) =>
              t.movedTo(item.name, nameOf(channels, moveTo(item, to)?.parent_id) ?? t.outside)
            }
            onMove={(item, to) => {
              const wanted = moveTo(item, to)
              if (wanted) move(wanted)
            }}
          >
            {({ channel }, isLifted) =>
              channel ? (
                <ChannelRow channel={channel} isLifted={isLifted} onOpen={onOpen} />
              ) : (
                <p className={styles.heading}>{t.outside}</p>
              )
            }
          </SortableList>
          <p className={styles.note}>{t.order}</p>
        </>
      )}
      {making !== null && <NewChannelSheet guild={guild} type={making} onClose={() => setMaking(null)} />}
    </>
  )
}

const nameOf = (tree: readonly Channel[], id: string | undefined) => tree.find((it) => it.id === id)?.name

function ChannelRow(props: { channel: Channel; isLifted: boolean; onOpen: () => void }) {
  const { channel } = props
  const t = useText(settingsText)
  const { textChannel, voiceChannel, isPrivate, readonly } = useText(text)
  const isText = channel.type === channelType.text
  const kind = channel.is_category ? t.category : isText ? textChannel : voiceChannel
  const Icon = isText ? TextChannelIcon : VoiceIcon
  const signs = [
    kind,
    channel.is_private && isPrivate,
    isText && channel.is_readonly && readonly,
    isText && channel.slow_mode > 0 && t.slowFact(slowLabel(channel.slow_mode, t)),
  ]
  const content = (
    <>
      {!channel.is_category && <Icon size={20} />}
      <span className={styles.rowText}>
        <span className={styles.rowName} data-part="channel-name">
          <EmojiText>{channel.name}</EmojiText>
        </span>
        <span className={styles.fact}>{signs.filter(Boolean).join(' · ')}</span>
        {channel.topic && <span className={styles.fact}>{channel.topic}</span>}
      </span>
    </>
  )
  const look = { className: styles.row, 'data-category': channel.is_category || undefined }
  if (!mayOpen(channel)) return <div {...look}>{content}</div>
  return (
    <Link {...look} to={{ search: `channel=${channel.id}` }} draggable={false} onClick={props.onOpen}>
      {content}
      {!props.isLifted && <NextIcon size={20} />}
    </Link>
  )
}
