import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import { copyChannel, type deleteChannel } from '@guildhall/wire/channel/publicChannel.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { guildChanged } from '../../guild/guild.ts'
import { useText } from '../../kit/i18n.ts'
import { type Calling, useCall } from '../../kit/useCall.ts'
import { Button } from '../../ui/Button.tsx'
import { NextIcon } from '../../ui/icon/icons.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import acts from '../../ui/page/SettingActs.module.css'
import { EmojiText } from '../../ui/picture/EmojiText.tsx'
import { ChannelPermissions } from '../overwrites/ChannelPermissions.tsx'
import styles from './ChannelPage.module.css'
import { ChannelSheet } from './ChannelSheet.tsx'
import { mayManage } from './categories.ts'
import { settingsText } from './settingsText.ts'

interface PageProps {
  readonly guild: Guild
  readonly channel: Channel
}
interface Removable extends PageProps {
  readonly removal: Calling<typeof deleteChannel>
}
const refused = ({ message }: { message: string }) => void toast(message)

/** One channel or category: its settings, who may do what in it, copying and deleting. */
export function ChannelPage({ guild, channel, removal }: Removable) {
  const t = useText(settingsText)
  const [isEdited, setEdited] = useState(false)
  return (
    <>
      <h2 className={styles.title}>
        <EmojiText>{channel.name}</EmojiText>
      </h2>
      {mayManage(channel) && (
        <button type="button" className={`${acts.act} ${styles.alone}`} onClick={() => setEdited(true)}>
          <span>{channel.is_category ? t.rename : t.settings}</span>
          <NextIcon size={20} />
        </button>
      )}
      {has(channel.permissions, permission.manage_role) ? (
        <ChannelPermissions guild={guild} channel={channel} />
      ) : (
        <p className={styles.notice}>{t.noRoles}</p>
      )}
      {mayManage(channel) && (
        <div className={acts.end}>
          <Copy guild={guild} channel={channel} />
          <Removal guild={guild} channel={channel} removal={removal} />
        </div>
      )}
      {isEdited && <ChannelSheet guild={guild} channel={channel} onClose={() => setEdited(false)} />}
    </>
  )
}

function Copy({ guild, channel }: PageProps) {
  const t = useText(settingsText)
  const [, setQuery] = useSearchParams()
  const copying = useCall(copyChannel)
  const copy = async () => {
    const made = await copying.run({ channel_id: channel.id, name: t.copyName(channel.name) }, refused)
    if (!made) return
    guildChanged(guild.id)
    toast(t.created(made.name))
    setQuery({}, { replace: true })
  }
  return (
    <Button block kind="quiet" busy={copying.status === 'busy'} onPress={() => void copy()}>
      {channel.is_category ? t.copyCategory : t.copy}
    </Button>
  )
}

function Removal({ guild, channel, removal }: Removable) {
  const t = useText(settingsText)
  const [, setQuery] = useSearchParams()
  const [isAsked, setAsked] = useState(false)
  const label = channel.is_category ? t.removeCategory : t.remove
  const remove = async () => {
    setAsked(false)
    if (!(await removal.run({ channel_id: channel.id }, refused))) return
    setQuery({}, { replace: true })
    guildChanged(guild.id)
    toast(t.removed(channel.name))
  }
  return (
    <div className={acts.remove}>
      <Button block kind="quiet" busy={removal.status === 'busy'} onPress={() => setAsked(true)}>
        {label}
      </Button>
      {isAsked && (
        <Dialog
          title={t.removeTitle(channel.name)}
          message={lossOf(guild, channel, t)}
          confirm={label}
          danger
          onConfirm={() => void remove()}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  )
}

/** What is lost with a channel. */
function lossOf(guild: Guild, channel: Channel, t: (typeof settingsText)['zh-CN']): string {
  if (channel.is_category) return t.losesCategory
  if (channel.type === channelType.voice) return t.losesVoice
  return channel.id === guild.default_channel_id ? `${t.losesMessages} ${t.losesFirst}` : t.losesMessages
}
