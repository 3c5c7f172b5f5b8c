import type { Guild } from '@guildhall/wire/channel/channel.ts'
import {
  deleteInvite,
  type ListedInvite,
  listInvites,
  UNLIMITED_USES,
} from '@guildhall/wire/invite/manage.ts'
import { counted, texts } from '@guildhall/wire/locale.ts'
import { useState } from 'react'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { useRoutePages } from '../kit/useRoutePages.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { Button } from '../ui/Button.tsx'
import { LinkIcon } from '../ui/icon/laterIcons.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import InviteFriends from './InviteFriends.tsx'
import styles from './InvitesSettings.module.css'

const text = texts({
  'zh-CN': {
    invites: '邀请链接',
    failed: '邀请链接没有加载出来',
    none: '还没有邀请链接',
    noneWhy: '新建一个链接，发给想邀请的人。',
    make: '新建邀请链接',
    by: (name: string) => `由 ${name} 创建`,
    to: (channel: string) => `加入后到 #${channel}`,
    used: (times: number) => `${times} 人由此加入`,
    left: (times: number) => `还能用 ${times} 次`,
    until: (when: string) => `${when} 失效`,
    endless: '长期有效',
    revoke: '撤销',
    revokeOf: (code: string) => `撤销邀请链接 ${code}`,
    revokeTitle: '撤销这个邀请链接？',
    revokeMessage: '它会立即失效，已经加入的人不受影响。',
    revoked: '邀请链接已撤销',
  },
  en: {
    invites: 'Invite links',
    failed: 'The invite links did not load',
    none: 'No invite links yet',
    noneWhy: 'Make a link and send it to whom you want to invite.',
    make: 'New invite link',
    by: (name: string) => `Made by ${name}`,
    to: (channel: string) => `Leads to #${channel}`,
    used: (times: number) => `${counted(times, 'person', 'people')} joined by it`,
    left: (times: number) => `${counted(times, 'use')} left`,
    until: (when: string) => `Ends ${when}`,
    endless: 'Does not end',
    revoke: 'Revoke',
    revokeOf: (code: string) => `Revoke invite link ${code}`,
    revokeTitle: 'Revoke this invite link?',
    revokeMessage: 'It ends at once. Who has joined stays.',
    revoked: 'Invite link revoked',
  },
})

/**
 * The valid invites of a guild: who made them, where they lead, how often they were used; new ones, and
 * revoking.
 */
export default function InvitesSettings({ guild }: { guild: Guild }) {
  const t = useText(text)
  const invites = useRoutePages(listInvites, { guild_id: guild.id })
  const revoking = useCall(deleteInvite)
  const [asked, setAsked] = useState<ListedInvite | null>(null)
  const [isMaking, setMaking] = useState(false)
  const revoke = async ({ url_code }: ListedInvite) => {
    setAsked(null)
    const input = { url_code, guild_id: guild.id }
    if (await revoking.run(input, ({ message }) => toast(message))) toast(t.revoked)
    invites.refetch()
  }
  return (
    <>
      <div className={styles.make}>
        <Button block onPress={() => setMaking(true)}>
          {t.make}
        </Button>
      </div>
      <Loaded of={invites} title={t.failed}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={<LinkIcon size={32} />} title={t.none} message={t.noneWhy} />
          ) : (
            <ActionRows
              label={t.invites}
              hasMore={invites.hasMore}
              isLoadingMore={invites.isLoadingMore}
              onMore={invites.loadMore}
            >
              {items.map((it) => (
                <InviteRow key={it.url_code} invite={it} onRevoke={() => setAsked(it)} />
              ))}
            </ActionRows>
          )
        }
      </Loaded>
      {isMaking && (
        <InviteFriends
          guildId={guild.id}
          guildName={guild.name}
          onClose={() => {
            setMaking(false)
            invites.refetch()
          }}
        />
      )}
      {asked && (
        <Dialog
          title={t.revokeTitle}
          message={t.revokeMessage}
          confirm={t.revoke}
          danger
          onConfirm={() => void revoke(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function InviteRow({ invite, onRevoke }: { invite: ListedInvite; onRevoke: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const { url, url_code, user, channel_id, channel_name, expire_time, remaining_times, using_times } = invite
  const end = expire_time === 0 ? t.endless : t.until(timeLabel(expire_time, Date.now(), locale))
  const left = remaining_times === UNLIMITED_USES ? '' : t.left(remaining_times)
  return (
    <ActionRow
      title={url.replace(/^https?:\/\//, '')}
      facts={[
        [t.by(user.username), channel_id !== '0' && channel_name && t.to(channel_name)]
          .filter(Boolean)
          .join(' · '),
        [t.used(using_times), left, end].filter(Boolean).join(' · '),
      ]}
      action={t.revoke}
      actionLabel={t.revokeOf(url_code)}
      onAction={onRevoke}
    />
  )
}
