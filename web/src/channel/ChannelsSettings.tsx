import { type Channel, type ChannelType, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { Button } from '../ui/Button.tsx'
import { GuildsIcon } from '../ui/icon/channelIcons.tsx'
import { TextChannelIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import styles from './ChannelsSettings.module.css'
import { ChannelSheet } from './settings/ChannelSheet.tsx'
import { mayManage } from './settings/categories.ts'
import { NewChannelSheet } from './settings/NewChannelSheet.tsx'
import { settingsText, slowLabel } from './settings/settingsText.ts'
import { text } from './text.ts'

/** The channels of a guild in their categories: new ones, and changing and deleting those that there are. */
export default function ChannelsSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const { noChannel } = useText(text)
  const [making, setMaking] = useState<ChannelType | null>(null)
  const [edited, setEdited] = useState<Channel | null>(null)
  return (
    <>
      <div className={styles.make}>
        <Button onPress={() => setMaking(channelType.text)}>{t.newChannel}</Button>
        <Button kind="soft" onPress={() => setMaking(channelType.category)}>
          {t.newCategory}
        </Button>
      </div>
      {guild.channels.length === 0 && (
        <EmptyState icon={<GuildsIcon size={32} />} title={noChannel} message={t.noneWhy} />
      )}
      <div className={styles.groups}>
        {groupsOf(guild.channels).map((group) => (
          <ActionRows key={group[0].id} label={group[0].is_category ? group[0].name : t.outside}>
            {group.map((channel) => (
              <ChannelRow key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
            ))}
          </ActionRows>
        ))}
      </div>
      {making !== null && <NewChannelSheet guild={guild} type={making} onClose={() => setMaking(null)} />}
      {edited && <ChannelSheet guild={guild} channel={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

type Group = [Channel, ...Channel[]]

/** The tree as cards: a category with its channels each, and those in none that follow one another. */
function groupsOf(tree: readonly Channel[]): readonly Group[] {
  const groups: Group[] = []
  for (const channel of tree) {
    const last = groups.at(-1)
    if (channel.is_category) groups.push([channel, ...channel.channels])
    else if (last && !last[0].is_category) last.push(channel)
    else groups.push([channel])
  }
  return groups
}

function ChannelRow({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
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
  return (
    <ActionRow
      picture={!channel.is_category && <Icon size={20} />}
      title={channel.name}
      facts={[signs.filter(Boolean).join(' · '), channel.topic]}
      action={t.edit}
      actionLabel={t.editOf(channel.name)}
      onAction={mayManage(channel) ? onEdit : undefined}
    />
  )
}
