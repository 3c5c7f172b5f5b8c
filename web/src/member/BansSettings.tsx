import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { createBan, deleteBan, listBans } from '@guildhall/wire/member/moderation.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { timeLabel } from '../kit/format/time.ts'
import { useLocale, useText } from '../kit/i18n.ts'
import { useAct } from '../kit/useAct.ts'
import { useRoutePages } from '../kit/useRoutePages.ts'
import { ActionRow, ActionRows } from '../ui/ActionRow.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { EmptyState } from '../ui/state/EmptyState.tsx'
import { Loaded } from '../ui/state/Loaded.tsx'
import { recordPath } from './recordPath.ts'
import { BansDrawing } from './settings/drawings.tsx'
import { settingsText } from './settingsText.ts'

type Ban = AnswerOf<typeof listBans>['items'][number]

/**
 * Who is banned from a guild, why and by whom; a ban is lifted here, and set again while the page is open.
 */
export default function BansSettings({ guild }: { guild: Guild }) {
  const t = useText(settingsText)
  const bans = useRoutePages(listBans, { guild_id: guild.id })
  const [lifted, setLifted] = useState<readonly Ban[]>([])
  const without = (ban: Ban) => (all: readonly Ban[]) => all.filter((it) => it.user.id !== ban.user.id)
  const onLifted = (ban: Ban) => {
    setLifted((all) => [ban, ...without(ban)(all)])
    bans.refetch()
  }
  const onUndone = (ban: Ban) => {
    setLifted(without(ban))
    bans.refetch()
  }
  const rows = (items: readonly Ban[]) =>
    items.filter((it) => !lifted.some(({ user }) => user.id === it.user.id))
  return (
    <Loaded of={bans} title={t.bansFailed}>
      {({ items }) => (
        <>
          {lifted.length > 0 && (
            <ActionRows label={t.lift}>
              {lifted.map((it) => (
                <LiftedRow key={it.user.id} guild={guild} ban={it} onUndone={() => onUndone(it)} />
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
                <BanRow key={it.user.id} guild={guild} ban={it} onLifted={() => onLifted(it)} />
              ))}
            </ActionRows>
          ) : (
            lifted.length === 0 && (
              <EmptyState icon={<BansDrawing />} title={t.noBans} message={t.noBansWhy} />
            )
          )}
        </>
      )}
    </Loaded>
  )
}

function BanRow({ guild, ban, onLifted }: { guild: Guild; ban: Ban; onLifted: () => void }) {
  const t = useText(settingsText)
  const locale = useLocale()
  const lifting = useAct(deleteBan)
  const { user, remark, operator, created_time } = ban
  const when = timeLabel(created_time, Date.now(), locale)
  const lift = async () => {
    const target = { guild_id: guild.id, target_id: ban.user_id }
    if (!(await lifting.run(target, ({ message }) => toast(message)))) return
    toast(t.lifted(user.username))
    onLifted()
  }
  return (
    <ActionRow
      picture={<Avatar of={user} size={40} />}
      title={fullNameOf(ban)}
      to={recordPath(guild.id, ban.user_id)}
      facts={[remark && t.reason(remark), operator ? t.bannedBy(operator.username, when) : t.bannedAt(when)]}
      action={t.lift}
      actionLabel={t.liftOf(fullNameOf(ban))}
      isBusy={lifting.isBusy}
      onAction={() => void lift()}
    />
  )
}

function LiftedRow({ guild, ban, onUndone }: { guild: Guild; ban: Ban; onUndone: () => void }) {
  const t = useText(settingsText)
  const banning = useAct(createBan)
  const { user, remark } = ban
  const undo = async () => {
    const target = { guild_id: guild.id, target_id: ban.user_id, remark }
    if (await banning.run(target, ({ message }) => toast(message))) onUndone()
  }
  return (
    <ActionRow
      picture={<Avatar of={user} size={40} />}
      title={fullNameOf(ban)}
      facts={[t.lifted(user.username)]}
      action={t.undo}
      actionLabel={`${t.undo}: ${fullNameOf(ban)}`}
      isBusy={banning.isBusy}
      onAction={() => void undo()}
    />
  )
}

const fullNameOf = ({ user }: Ban): string => `${user.username}#${user.identify_num}`
