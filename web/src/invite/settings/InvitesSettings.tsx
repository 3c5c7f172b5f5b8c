import type { Guild } from '@guildhall/wire/channel/channel.ts'
import {
  deleteInvite,
  type ListedInvite,
  listInvites,
  UNLIMITED_USES,
} from '@guildhall/wire/invite/manage.ts'
import { counted, texts } from '@guildhall/wire/locale.ts'
import { useState } from 'react'
import { timeLabel } from '../../kit/format/time.ts'
import { useLocale, useText } from '../../kit/i18n.ts'
import { useCall } from '../../kit/useCall.ts'
import { useRoutePages } from '../../kit/useRoutePages.ts'
import { ActionRow, ActionRows } from '../../ui/ActionRow.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/overlay/Dialog.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { Loaded } from '../../ui/state/Loaded.tsx'
import { NewInviteSheet } from '../NewInviteSheet.tsx'
import { InvitesDrawing } from './drawings.tsx'
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
    gives: (role: string) => `加入时获得「${role}」`,
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
    gives: (role: string) => `Gives “${role}”`,
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
  const [isMaking, setMaking] = useState(false)
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
            <EmptyState icon={<InvitesDrawing />} title={t.none} message={t.noneWhy} />
          ) : (
            <ActionRows
              label={t.invites}
              hasMore={invites.hasMore}
              isLoadingMore={invites.isLoadingMore}
              onMore={invites.loadMore}
            >
              {items.map((it) => (
                <InviteRow key={it.url_code} guild={guild} invite={it} onRevoked={invites.refetch} />
              ))}
            </ActionRows>
          )
        }
      </Loaded>
      {isMaking && <NewInviteSheet guild={guild} onMade={invites.refetch} onClose={() => setMaking(false)} />}
    </>
  )
}

function InviteRow(props: { guild: Guild; invite: ListedInvite; onRevoked: () => void }) {
  const t = useText(text)
  const locale = useLocale()
  const revoking = useCall(deleteInvite)
  const [isAsked, setAsked] = useState(false)
  const { url, url_code, user, channel_id, channel_name, role_name, ...uses } = props.invite
  const end = uses.expire_time === 0 ? t.endless : t.until(timeLabel(uses.expire_time, Date.now(), locale))
  const left = uses.remaining_times === UNLIMITED_USES ? '' : t.left(uses.remaining_times)
  const revoke = async () => {
    setAsked(false)
    const input = { url_code, guild_id: props.guild.id }
    if (await revoking.run(input, ({ message }) => toast(message))) toast(t.revoked)
    props.onRevoked()
  }
  return (
    <ActionRow
      title={url.replace(/^https?:\/\//, '')}
      facts={[
        [
          t.by(user.username),
          channel_id !== '0' && channel_name && t.to(channel_name),
          role_name && t.gives(role_name),
        ]
          .filter(Boolean)
          .join(' · '),
        [t.used(uses.using_times), left, end].filter(Boolean).join(' · '),
      ]}
      action={t.revoke}
      actionLabel={t.revokeOf(url_code)}
      isBusy={revoking.status === 'busy'}
      onAction={() => setAsked(true)}
    >
      {isAsked && (
        <Dialog
          title={t.revokeTitle}
          message={t.revokeMessage}
          confirm={t.revoke}
          danger
          onConfirm={() => void revoke()}
          onClose={() => setAsked(false)}
        />
      )}
    </ActionRow>
  )
}
