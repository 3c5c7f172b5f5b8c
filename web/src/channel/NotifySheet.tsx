import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { notifyType } from '@guildhall/wire/message/notify.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import menuStyles from '../ui/overlay/Menu.module.css'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { guildMenuText } from './guildMenuText.ts'

/** What one is notified of in a guild, or in one of its channels. */
export function NotifySheet(props: { guildId: Guild['id']; channelId?: Channel['id']; onClose: () => void }) {
  const { guildId, channelId, onClose } = props
  const t = useText(guildMenuText)
  const waiting = useRouteQuery(listWaiting, {}).answer?.find((it) => it.guild_id === guildId)
  const setting = useCall(setNotifyType)
  const now =
    channelId === undefined
      ? waiting?.notify_type || notifyType.all
      : (waiting?.notify_channels?.find((it) => it.channel_id === channelId)?.notify_type ?? notifyType.usual)
  const choose = async (type: number) => {
    const input = { guild_id: guildId, channel_id: channelId, notify_type: type }
    const isSet = await setting.run(input, (failure) => toast(failure.message))
    if (!isSet) return
    invalidateRoute(listUnread, { guild_id: guildId })
    invalidateRoute(listWaiting)
    onClose()
  }
  const choices = [
    ...(channelId === undefined ? [] : [[notifyType.usual, t.notifyUsual] as const]),
    [notifyType.all, t.notifyAll] as const,
    [notifyType.mentions, t.notifyMentions] as const,
    [notifyType.none, t.notifyNone] as const,
  ]
  return (
    <Sheet popover="menu" title={t.notify} onClose={onClose}>
      <div className={menuStyles.menu} role="radiogroup" aria-label={t.notify}>
        {choices.map(([type, label]) => (
          // biome-ignore lint/a11y/useSemanticElements: a row of a menu, as all others
          <button
            key={type}
            type="button"
            role="radio"
            aria-checked={now === type}
            className={menuStyles.item}
            onClick={() => void choose(type)}
          >
            <span className={menuStyles.label}>{label}</span>
            {now === type && <CheckIcon size={20} />}
          </button>
        ))}
      </div>
    </Sheet>
  )
}
