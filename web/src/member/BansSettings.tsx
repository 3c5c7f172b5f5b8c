import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { createBan, deleteBan, listBans } from '@guildhall/wire/member/moderation.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useCall } from '../kit/useCall.ts'
import { useRoutePages } from '../kit/useRoutePages.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { UserIcon } from '../ui/icon/laterIcons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { settingsText } from './settingsText.ts'

type Ban = AnswerOf<typeof listBans>['items'][number]

/**
 * Who is banned from a guild, why and by whom; a ban is lifted here, and set again while the page is open.
 */
export default function BansSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const bans = useRoutePages(listBans, { guild_id: guild.id })
  const { lifted, lift, undo } = useLifting(guild, bans.refetch)
  const rows = (items: readonly Ban[]) =>
    items.filter((it) => !lifted.some(({ user }) => user.id === it.user.id))
  return (
    <Loaded of={bans} title={t.bansFailed}>
      {({ items }) => (
        <>
          {lifted.length > 0 && (
            <ActionRows label={t.lift}>
              {lifted.map((it) => (
                <BanRow key={it.user.id} ban={it} isLifted onAction={() => void undo(it)} />
              ))}
            </ActionRows>
          )}
          {rows(items).length > 0 ? (
            <ActionRows
              label={t.bans}
              hasMore={bans.hasMore}
              isLoadingMore={bans.isLoadingMore}
              onMore={bans.loadMore}
            >
              {rows(items).map((it) => (
                <BanRow key={it.user.id} ban={it} onAction={() => void lift(it)} />
              ))}
            </ActionRows>
          ) : (
            lifted.length === 0 && (
              <EmptyState icon={<UserIcon size={32} />} title={t.noBans} message={t.noBansWhy} />
            )
          )}
        </>
      )}
    </Loaded>
  )
}

function useLifting(guild: Guild, refetch: () => void) {
  const t = useText(settingsText)
  const [lifted, setLifted] = useState<readonly Ban[]>([])
  const lifting = useCall(deleteBan)
  const banning = useCall(createBan)
  const refused = ({ message }: { message: string }) => toast(message)
  const without = (ban: Ban) => (all: readonly Ban[]) => all.filter((it) => it.user.id !== ban.user.id)
  const lift = async (ban: Ban) => {
    const target = { guild_id: guild.id, target_id: ban.user_id }
    if (!(await lifting.run(target, refused))) return
    setLifted((all) => [ban, ...without(ban)(all)])
    toast(t.lifted(ban.user.username))
    refetch()
  }
  const undo = async (ban: Ban) => {
    const target = { guild_id: guild.id, target_id: ban.user_id, remark: ban.remark }
    if (!(await banning.run(target, refused))) return
    setLifted(without(ban))
    refetch()
  }
  return { lifted, lift, undo }
}

function BanRow(props: { ban: Ban; isLifted?: boolean; onAction: () => void }) {
  const t = useText(settingsText)
  const locale = useLocale()
  const { user, remark, operator, created_time } = props.ban
  const name = `${user.username}#${user.identify_num}`
  const when = timeLabel(created_time, Date.now(), locale)
  const by = operator ? t.bannedBy(operator.username, when) : t.bannedAt(when)
  return (
    <ActionRow
      picture={<Avatar id={user.id} name={user.username} src={user.avatar} size={40} />}
      title={name}
      facts={props.isLifted ? [t.lifted(user.username)] : [remark && t.reason(remark), by]}
      action={props.isLifted ? t.undo : t.lift}
      actionLabel={props.isLifted ? `${t.undo}: ${name}` : t.liftOf(name)}
      onAction={props.onAction}
    />
  )
}
