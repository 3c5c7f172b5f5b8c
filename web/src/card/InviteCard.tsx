import { channelType } from '@guildhall/wire/channel/channel.ts'
import { isInviteCode } from '@guildhall/wire/id.ts'
import type { Invite } from '@guildhall/wire/invite/invite.ts'
import { viewInviteV2 } from '@guildhall/wire/invite/inviteCard.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { pathInGuild, useAcceptInvite } from '../invite/invite.ts'
import { useText } from '../kit/i18n.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { text as commonText } from '../kit/text.ts'
import { Button } from '../ui/Button.tsx'
import { AlertIcon, TextChannelIcon, VoiceIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { GuildIcon } from '../ui/picture/GuildIcon.tsx'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import styles from './InviteCard.module.css'
import { text } from './text.ts'

/** An invite in a message: loading, loaded or expired. `own`: the reader sent it. chat.md §4 and §8. */
export default function InviteCard({ code, own }: { code: string; own: boolean }) {
  if (!isInviteCode(code)) return <Expired own={own} />
  return <InviteByCode key={code} code={code} own={own} />
}

function InviteByCode({ code, own }: { code: string; own: boolean }) {
  const t = useText(text)
  const tCommon = useText(commonText)
  const asked = useRouteQuery(viewInviteV2, { code: code as never })
  if (asked.status === 'done') return <Loaded invite={asked.answer} code={code} own={own} />
  if (asked.status === 'failed')
    return asked.failure.name.startsWith('invite.') ? (
      <Expired own={own} />
    ) : (
      <div className={styles.card} data-part="invite-card" data-state="failed">
        <p className={styles.title}>{own ? t.inviteSent : t.inviteReceived}</p>
        <div className={styles.row} role="alert">
          <span className={styles.text}>{asked.failure.message}</span>
          <Button kind="soft" onPress={asked.refetch}>
            {tCommon.retry}
          </Button>
        </div>
      </div>
    )
  return (
    <div
      className={styles.card}
      data-part="invite-card"
      data-state="loading"
      role="status"
      aria-label={tCommon.loading}
    >
      <p className={styles.title}>{own ? t.inviteSent : t.inviteReceived}</p>
      <div className={styles.row}>
        <Skeleton className={styles.art} />
        <span className={styles.text}>
          <Skeleton width="70%" height={16} />
          <Skeleton width="45%" height={12} />
        </span>
      </div>
    </div>
  )
}

function Loaded({ invite, code, own }: { invite: Invite; code: string; own: boolean }) {
  const t = useText(text)
  const navigate = useNavigate()
  const [joined, setJoined] = useState(false)
  const { isBusy, accept } = useAcceptInvite((path) => {
    setJoined(true)
    void navigate(path)
  })
  const { guild, channel } = invite
  const inside = invite.joined || joined
  const enter = () => {
    if (!inside) return void accept({ code: code as never }, (failure) => toast(failure.message))
    const channelId = channel?.type === channelType.text ? channel.id : guild.default_channel_id
    void navigate(pathInGuild(guild.id, channelId))
  }
  const Sign = channel?.type === channelType.voice ? VoiceIcon : TextChannelIcon
  return (
    <div className={styles.card} data-part="invite-card" data-state="loaded">
      <p className={styles.title}>{own ? t.inviteSent : t.inviteReceived}</p>
      <div className={styles.row}>
        <GuildIcon id={guild.id} name={guild.name} src={guild.icon} size={48} />
        <span className={styles.text}>
          <b className={styles.name}>{guild.name}</b>
          <span className={styles.counts}>
            {invite.type === 'channel' && channel ? (
              <>
                <Sign size={14} />
                {channel.name}
              </>
            ) : (
              <>
                <span className={styles.online} data-some={guild.online_count > 0 || undefined}>
                  {t.online(guild.online_count)}
                </span>
                <span>{t.members(guild.members_count)}</span>
              </>
            )}
          </span>
        </span>
        <Button kind={inside ? 'soft' : 'main'} busy={isBusy} onPress={enter}>
          {inside ? t.inviteEnter : t.inviteJoin}
        </Button>
      </div>
    </div>
  )
}

function Expired({ own }: { own: boolean }) {
  const t = useText(text)
  return (
    <div className={styles.card} data-part="invite-card" data-state="expired">
      <p className={styles.title}>{own ? t.inviteSentButExpired : t.inviteReceivedButExpired}</p>
      <div className={styles.row}>
        <span className={`${styles.art} ${styles.gone}`}>
          <AlertIcon size={24} />
        </span>
        <span className={styles.text}>
          <b className={styles.name}>{t.inviteExpired}</b>
          <span className={styles.counts}>{t.inviteExpiredWhy}</span>
        </span>
      </div>
    </div>
  )
}
