import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { leaveGuild } from '@guildhall/wire/guild/ownGuild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { clearGuild } from '@guildhall/wire/message/clearGuild.ts'
import { listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { copyText } from '../kit/browser/clipboard.ts'
import { call } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { paths } from '../kit/paths.ts'
import { openReport } from '../kit/report.ts'
import { reportText } from '../kit/reportText.ts'
import { cache, invalidateRoute, queryKeyOf, useRouteQuery } from '../kit/routeQuery.ts'
import { RolesSheet } from '../onboarding/onboarding.tsx'
import { EditIcon, ShieldIcon } from '../ui/icon/channelIcons.tsx'
import {
  BellIcon,
  CheckIcon,
  FlagIcon,
  LeaveIcon,
  LinkIcon,
  SlidersIcon,
  TrashIcon,
  UserIcon,
} from '../ui/icon/laterIcons.tsx'
import { RocketIcon } from '../ui/icon/payIcons.tsx'
import { SearchIcon } from '../ui/icon/searchIcon.tsx'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { leaveLayers } from '../ui/overlay/layers.ts'
import menuStyles from '../ui/overlay/Menu.module.css'
import { MenuItem } from '../ui/overlay/MenuItem.tsx'
import { Sheet } from '../ui/overlay/Sheet.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { CustomIdSheet } from './CustomIdSheet.tsx'
import type { InviteFriendsSheet } from './face/later.ts'
import { goneAfter } from './goneAfter.ts'
import { guildMenuText } from './guildMenuText.ts'
import { MANAGING } from './managing.ts'
import { NotifySheet } from './NotifySheet.tsx'
import { toastError } from './toastError.ts'

export { ChannelMenu } from './ChannelMenu.tsx'

interface GuildMenuProps {
  InviteFriends: InviteFriendsSheet
  onClose: () => void
}

/** The menu of a guild, also of one that is not open. */
export default function GuildMenu(props: GuildMenuProps & { guildId: GuildId }) {
  const guild = useRouteQuery(viewGuild, { id: props.guildId })
  const why = guild.failure?.message
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each failure
  useEffect(() => {
    if (!why) return
    toast(why)
    props.onClose()
  }, [why])
  return guild.answer && <Menu {...props} guild={guild.answer} />
}

/** Invite, mark as read, notifications, its address and custom id, leave; for its owner, deletion. */
function Menu(props: GuildMenuProps & { guild: Guild }) {
  const { guild, InviteFriends, onClose } = props
  const t = useText(guildMenuText)
  const tReport = useText(reportText)
  const navigate = useNavigate()
  const [step, setStep] = useState<'menu' | 'invite' | 'notify' | 'customId' | 'roles' | 'leave'>('menu')
  if (step === 'invite') return <InviteFriends guildId={guild.id} guildName={guild.name} onClose={onClose} />
  if (step === 'leave') return <Leave guild={guild} onClose={onClose} />
  if (step === 'customId') return <CustomIdSheet guild={guild} onClose={onClose} />
  if (step === 'roles') return <RolesSheet guildId={guild.id} onClose={onClose} />
  if (step === 'notify') return <NotifySheet guildId={guild.id} onClose={onClose} />
  // Not among the `paths`, which every page loads.
  const openPage = async (path: string) => {
    await leaveLayers()
    await navigate(path)
  }
  const markRead = () => {
    onClose()
    void call(clearGuild, { guild_id: guild.id }).then((unread) => {
      cache.setQueryData(queryKeyOf(listUnread, { guild_id: guild.id }), unread)
      invalidateRoute(listWaiting)
      toast(t.markedRead)
    }, toastError)
  }
  return (
    <Sheet popover="menu" title={guild.name} onClose={onClose}>
      <div className={menuStyles.menu}>
        {has(guild.permissions, permission.create_invite) && (
          <MenuItem icon={<UserIcon />} label={t.inviteFriends} onPress={() => setStep('invite')} />
        )}
        <MenuItem
          icon={<SearchIcon />}
          label={t.search}
          onPress={() => void openPage(`/search?guild=${guild.id}`)}
        />
        <MenuItem icon={<CheckIcon />} label={t.markRead} onPress={markRead} />
        <MenuItem icon={<BellIcon />} label={t.notify} onPress={() => setStep('notify')} />
        <CopyLinkItem guild={guild} onClose={onClose} />
        <MenuItem
          icon={<RocketIcon />}
          label={t.boost}
          onPress={() => void openPage(`/guild/boost/${guild.id}`)}
        />
        {guild.user_config.offers_roles && (
          <MenuItem icon={<ShieldIcon />} label={t.chooseRoles} onPress={() => setStep('roles')} />
        )}
        <ManageItems guild={guild} openPage={openPage} onCustomId={() => setStep('customId')} />
        {!guild.is_master && (
          <MenuItem
            icon={<FlagIcon />}
            label={tReport.report}
            onPress={() => {
              onClose()
              openReport({ kind: 'guild', ids: [guild.id], name: guild.name })
            }}
          />
        )}
        {!guild.is_master && (
          <MenuItem icon={<LeaveIcon />} label={t.leaveGuild} isDanger onPress={() => setStep('leave')} />
        )}
        {guild.is_master && (
          <MenuItem
            icon={<TrashIcon />}
            label={t.dissolve}
            isDanger
            onPress={() => void openPage(`/guild/settings/${guild.id}/danger`)}
          />
        )}
      </div>
    </Sheet>
  )
}

/** What those who manage the guild find here. */
function ManageItems(props: {
  guild: Guild
  openPage: (path: string) => Promise<void>
  onCustomId: () => void
}) {
  const t = useText(guildMenuText)
  const { guild, openPage } = props
  const manages = has(guild.permissions, permission.manage_guild)
  return (
    <>
      {manages && (
        <MenuItem
          icon={<EditIcon />}
          label={t.profile}
          onPress={() => void openPage(`/guild/profile/${guild.id}`)}
        />
      )}
      {(guild.permissions & MANAGING) !== 0 && (
        <MenuItem
          icon={<SlidersIcon />}
          label={t.settings}
          onPress={() => void openPage(`/guild/settings/${guild.id}`)}
        />
      )}
      {manages && <MenuItem icon={<LinkIcon />} label={t.customId} onPress={props.onCustomId} />}
    </>
  )
}

function CopyLinkItem({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(guildMenuText)
  const copy = async () => {
    onClose()
    toast((await copyText(`${location.origin}${paths.guild(guild.id)}`)) ? t.linkCopied : t.linkCopyFailed)
  }
  return <MenuItem icon={<LinkIcon />} label={t.copyLink} onPress={() => void copy()} />
}

function Leave({ guild, onClose }: { guild: Guild; onClose: () => void }) {
  const t = useText(guildMenuText)
  const navigate = useNavigate()
  const leave = async () => {
    await goneAfter(call(leaveGuild, { guild_id: guild.id }), guild.id, navigate)
    onClose()
  }
  return (
    <Dialog
      title={t.leaveTitle(guild.name)}
      message={t.leaveWords}
      confirm={t.leaveGuild}
      danger
      onConfirm={() => void leave()}
      onClose={onClose}
    />
  )
}
