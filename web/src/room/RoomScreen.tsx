import { uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { type Channel, channelType, type Guild } from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import { waitsInSlowMode } from '@guildhall/wire/message/slowMode.ts'
import { has, permission, type WhyCannotSend } from '@guildhall/wire/permission/permission.ts'
import { memo, type Ref, use, useEffect, useMemo, useRef, useState } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { Composer, type ComposerHandle } from '../composer/Composer.tsx'
import { text as composerText } from '../composer/text.ts'
import { useTitle } from '../guild/guild.ts'
import { writeStored } from '../kit/browser/storage.ts'
import { useText } from '../kit/i18n.ts'
import { lazy, Suspense } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import type { MentionTargets } from '../kmarkdown/mentionTargets.ts'
import { text as messageText } from '../message/text.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { FriendsIcon, PinIcon, TextChannelIcon } from '../ui/icon/icons.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { DeskContext } from '../ui/page/desk.ts'
import { TopBar } from '../ui/page/TopBar.tsx'
import { useEntrance } from '../ui/page/useEntrance.ts'
import { Skeleton } from '../ui/state/Skeleton.tsx'
import { FindWay } from './find/FindWay.tsx'
import { useLinkedMessage } from './list/useLinkedMessage.ts'
import { useUnreadAtEntry } from './list/useUnreadAtEntry.ts'
import { RoomFrame, RoomMessages } from './RoomFrame.tsx'
import { ComposerSkeleton } from './RoomSkeleton.tsx'
import { type OpenSheet, RoomSheet } from './sheet/RoomSheet.tsx'
import { text } from './text.ts'
import { type OpenRoom, sendDraft, useOpenRoom } from './useOpenRoom.ts'
import { channelIn, isRefusal, useRights, useRoomChannel, useWasOpen } from './useRoomChannel.ts'

const SlowMode = lazy(() => loadPart(() => import('../composer/SlowMode.tsx')))

/** Route /channels/:guildId/:channelId. chat.md §2 "Text room". */
export default function RoomScreen() {
  const { guildId = '', channelId = '' } = useParams()
  return <Room key={channelId} guildId={guildId as GuildId} channelId={channelId as ChannelId} />
}

function Room({ guildId, channelId }: { guildId: GuildId; channelId: ChannelId }) {
  const me = useMe()
  const enters = useEntrance('room')
  const { guild, channel, guildFailure, isChannelRefused } = useRoomChannel(guildId, channelId)
  const room = useOpenRoom(channelId)
  const name = channel?.name ?? ''
  useEffect(() => void writeStored('last_guild', guildId), [guildId])
  const context = useMemo(() => ({ me, guild }), [me, guild])
  const { why, mutedUntil, rights } = useRights(guild, channel)
  const unread = useUnreadAtEntry(guildId, channelId, room.live.room)
  const composer = useRef<ComposerHandle>(null)
  const [sheet, setSheet] = useState<OpenSheet | null>(null)
  const targets = useTargets(guild, setSheet)
  useLinkedMessage(room)
  // No room here: its row in the list says where it opens.
  const isVoice = channel?.type === channelType.voice
  const isRefused = isChannelRefused || isRefusal(room.live.failure)
  const wasOpen = useWasOpen(channel, isRefused)
  if (isRefused) return <Refused goneFrom={wasOpen && !guildFailure ? guildId : null} />
  if (isVoice) return <Navigate to={paths.guild(guildId)} replace />
  return (
    <RoomFrame
      room={room}
      targets={targets}
      enters={enters}
      bar={
        <>
          <RoomTitle guildId={guildId} name={name} guildName={guild?.name ?? ''} />
          <RoomBar guildId={guildId} room={room} name={name} onPins={() => setSheet('pins')} />
        </>
      }
      sheets={
        sheet && (
          <RoomSheet
            open={sheet}
            guildId={guildId}
            room={room}
            context={context}
            rights={rights}
            composer={composer}
            onClose={() => setSheet(null)}
          />
        )
      }
    >
      <RoomMessages
        room={room}
        context={context}
        channelName={name}
        rights={rights}
        unread={unread}
        canReply={why === null}
      />
      <RoomComposer
        id={room.id}
        actions={room.actions}
        list={room.list}
        reply={room.reply}
        lastAt={channel && isSlow(channel) ? lastSentAt(room, me.id) : null}
        guild={guild}
        channel={channel}
        why={why}
        mutedUntil={mutedUntil}
        handle={composer}
      />
    </RoomFrame>
  )
}

/** Apart from the room: each message that somebody sends changes the count in front of the title. */
function RoomTitle(props: { guildId: GuildId; name: string; guildName: string }) {
  useTitle(props.guildId, props.name && `#${props.name}`, props.guildName)
  return null
}

/** The name of the channel, and the ways to the list, the pinned messages and the members. */
function RoomBar(props: { guildId: GuildId; room: OpenRoom; name: string; onPins: () => void }) {
  const { guildId, room, name } = props
  const channelId = room.id as ChannelId
  const t = useText(text)
  const tMessage = useText(messageText)
  const navigate = useNavigate()
  const isFromList = useLocation().state?.from === guildId
  // Back to the guild's channels when the room was opened there.
  const toList = () => void (isFromList ? navigate(-1) : navigate(paths.guild(guildId), { replace: true }))
  const desk = use(DeskContext)
  const toMembers =
    desk?.toggleMembers ??
    (() => void navigate(paths.members(guildId, channelId), { state: { from: 'guild' } }))
  return (
    <TopBar
      title={name || <Skeleton width={96} height={18} />}
      icon={<TextChannelIcon size={20} />}
      onBack={desk ? undefined : toList}
      actions={
        <>
          <FindWay room={room} guildId={guildId} />
          <IconButton label={tMessage.pins} onPress={props.onPins}>
            <PinIcon />
          </IconButton>
          <IconButton label={t.members} isPressed={desk?.hasMembers} onPress={toMembers}>
            <FriendsIcon />
          </IconButton>
        </>
      }
    />
  )
}

/** Where mentions in this room lead. The same object as long as the guild is. */
function useTargets(guild: Guild | null, open: (sheet: OpenSheet) => void): MentionTargets {
  return useMemo(
    () => ({
      openPerson: (userId) => open({ userId }),
      channelPath: (channelId) => {
        const channel = guild && channelIn(guild, channelId)
        if (!channel || channel.type !== channelType.text) return null
        return has(channel.permissions, permission.view_channel)
          ? paths.room(channel.guild_id, channelId)
          : null
      },
    }),
    [guild, open],
  )
}

/** The composer of a room, once its guild and channel are loaded. Messages that come do not draw it again. */
const RoomComposer = memo(function RoomComposer(props: {
  id: string
  actions: OpenRoom['actions']
  list: OpenRoom['list']
  reply: OpenRoom['reply']
  /** When the reader sent their newest message, ms; null: not known, or nobody asks. */
  lastAt: number | null
  guild: Guild | null
  channel: Channel | null
  why: WhyCannotSend | null
  mutedUntil: number | null
  handle: Ref<ComposerHandle>
}) {
  const { guild, channel, lastAt } = props
  const me = useMe()
  const tComposer = useText(composerText)
  if (!guild || !channel) return <ComposerSkeleton />
  const channelId = channel.id
  return (
    <>
      {isSlow(channel) && (
        <Suspense fallback={null}>
          <SlowMode intervalMs={channel.slow_mode} lastAt={lastAt} />
        </Suspense>
      )}
      <Composer
        channelId={channelId}
        placeholder={tComposer.placeholder(channel.name)}
        guild={guild}
        why={props.why}
        mutedUntil={props.mutedUntil}
        maxBytes={
          has(channel.permissions, permission.upload_file) ? uploadMaxBytes(guild.level, me.is_vip) : null
        }
        context={{ guild, channelId, permissions: channel.permissions }}
        handle={props.handle}
        onSend={(content, files, names) => sendDraft(props, content, files, names)}
      />
    </>
  )
})

/** Whether the reader has to wait between two messages. */
const isSlow = (channel: Channel): boolean => channel.slow_mode > 0 && waitsInSlowMode(channel.permissions)

/** When somebody sent their newest message in a room, ms; null: it is not loaded. */
const lastSentAt = ({ live }: OpenRoom, me: string): number | null =>
  live.room.run.filter(({ author }) => author.id === me).at(-1)?.create_at ?? null

/**
 * Leads away with a word why: to the guild's channels when the room was open before, else to the start.
 * chat.md §6.
 */
function Refused({ goneFrom }: { goneFrom: GuildId | null }) {
  const t = useText(text)
  const why = goneFrom === null ? t.refused : t.gone
  useEffect(() => toast(why), [why])
  return <Navigate to={goneFrom === null ? paths.home() : paths.guild(goneFrom)} replace />
}
