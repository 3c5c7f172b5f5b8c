import { type Channel, channelType } from '@guildhall/wire/channel/channel.ts'
import { clearUnread } from '@guildhall/wire/message/readMark.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { copyText } from '../kit/browser/clipboard.ts'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import OpenAppDialog from '../native/openApp/OpenAppDialog.tsx'
import { BellIcon, CheckIcon, LinkIcon } from '../ui/icon/laterIcons.tsx'
import { SearchIcon } from '../ui/icon/searchIcon.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { guildMenuText } from './guildMenuText.ts'
import { NotifySheet } from './NotifySheet.tsx'
import { toastError } from './toastError.ts'

/** What a channel of the list opens beside its room: its menu, or of a voice channel the way into the app. */
export function ChannelMenu(props: { channel: Channel; isApp: boolean; onClose: () => void }) {
  return props.isApp ? (
    <OpenAppDialog
      about="voice"
      path={paths.room(props.channel.guild_id, props.channel.id)}
      onClose={props.onClose}
    />
  ) : (
    <Menu {...props} />
  )
}

function Menu({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const t = useText(guildMenuText)
  const navigate = useNavigate()
  const [step, setStep] = useState<'menu' | 'notify'>('menu')
  if (step === 'notify')
    return <NotifySheet guildId={channel.guild_id} channelId={channel.id} onClose={onClose} />
  const markRead = () => {
    onClose()
    // The event of the read mark changes the counts.
    void call(clearUnread, { channel_id: channel.id }).catch(toastError)
  }
  const search = async () => {
    await leaveLayers()
    await navigate(`/search?guild=${channel.guild_id}&channel=${channel.id}`)
  }
  const copy = async () => {
    onClose()
    const isCopied = await copyText(`${location.origin}${paths.room(channel.guild_id, channel.id)}`)
    toast(isCopied ? t.linkCopied : t.linkCopyFailed)
  }
  return (
    <Sheet popover="menu" title={channel.name} onClose={onClose}>
      <div className={menuStyles.menu}>
        {channel.type !== channelType.voice && (
          <>
            <MenuItem icon={<SearchIcon />} label={t.search} onPress={() => void search()} />
            <MenuItem icon={<CheckIcon />} label={t.markChannelRead} onPress={markRead} />
            <MenuItem icon={<BellIcon />} label={t.notify} onPress={() => setStep('notify')} />
          </>
        )}
        <MenuItem icon={<LinkIcon />} label={t.copyId} onPress={() => void copy()} />
      </div>
    </Sheet>
  )
}
