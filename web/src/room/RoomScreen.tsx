import { uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import {
  type Channel,
  channelType,
  type Guild,
  viewChannel,
  viewGuild,
} from '@guildhall/wire/channel/channel.ts'
import type { ChannelId, GuildId } from '@guildhall/wire/id.ts'
import type { Quote } from '@guildhall/wire/message/quote.ts'
import { has, permission, type WhyCannotSend, whyCannotSend } from '@guildhall/wire/permission/permission.ts'
import { lazy, type Ref, Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Navigate, useLocation, useNavigate, useParams } from 'react-router'
import { useMe } from '../auth/auth.ts'
import { Composer, type ComposerHandle } from '../composer/Composer.tsx'
import { ReplyBar } from '../composer/ReplyBar.tsx'
import { saveReply } from '../composer/replyDraft.ts'
import { sendAttachment } from '../composer/sendAttachment.ts'
import { text as composerText } from '../composer/text.ts'
import { useMutedUntil, useTitle } from '../guild/guild.ts'
import { useText } from '../kit/i18n.ts'
import { loadPart } from '../kit/lazyPart.ts'
import { paths } from '../kit/paths.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { writeStored } from '../kit/storage.ts'
import { type MentionTargets, MentionTargetsContext } from '../kmarkdown/mentionTargets.ts'
import { knownPerson } from '../message/person.ts'
import { quoteOf } from '../message/Quoted.tsx'
import type { Rights } from '../message/rights.ts'
import { text as messageText } from '../message/text.ts'
import type { RoomController } from '../roomStore/roomController.ts'
import { useRoomStore } from '../roomStore/roomStoreContext.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { FriendsIcon, PinIcon, TextChannelIcon } from '../ui/icons.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { toast } from '../ui/Toast.tsx'
import { TopBar } from '../ui/TopBar.tsx'
import { useEntrance } from '../ui/useEntrance.ts'
import { type ListHandle, MessageList } from './MessageList.tsx'
import styles from './RoomScreen.module.css'
import { ComposerSkeleton, MessagesSkeleton } from './RoomSkeleton.tsx'
import { text } from './text.ts'
import { useExistingReply } from './useExistingReply.ts'
import { useLinkedMessage } from './useLinkedMessage.ts'
import { useRoomHeight } from './useRoomHeight.ts'
import { useUnreadAtEntry } from './useUnreadAtEntry.ts'
import { VerificationBanner } from './VerificationBanner.tsx'

const PersonSheet = lazy(() => loadPart(() => import('../message/PersonSheet.tsx')))
const PinsSheet = lazy(() => loadPart(() => import('../message/PinsSheet.tsx')))

/** Route /channels/:guildId/:channelId. chat.md §2 "Text room". */
export default function RoomScreen() {
  const { guildId = '', channelId = '' } = useParams()
  return <Room key={channelId} guildId={guildId as GuildId} channelId={channelId as ChannelId} />
}

function Room({ guildId, channelId }: { guildId: GuildId; channelId: ChannelId }) {
  const t = useText(text)
  const tMessage = useText(messageText)
  const me = useMe()
  const toList = useWayToList(guildId)
  const navigate = useNavigate()
  const toMembers = () => void navigate(paths.members(guildId, channelId), { state: { from: 'guild' } })
  const enters = useEntrance('room')
  const guild = useRouteQuery(viewGuild, { id: guildId })
  const inGuild = guild.answer && find(guild.answer, channelId)
  // The guild usually contains the channel, so it is not requested as well.
  const asked = useRouteQuery(viewChannel, { id: channelId }, guild.answer !== null && inGuild === null)
  const rooms = useRoomStore()
  const actions = useMemo(() => rooms.open(channelId, me.id), [rooms, channelId, me.id])
  const live = useSyncExternalStore(actions.subscribe, actions.snapshot)
  const list = useRef<ListHandle>(null)
  const page = useRef<HTMLDivElement>(null)
  const composer = useRef<ComposerHandle>(null)
  const [pinsOpen, setPinsOpen] = useState(false)
  const reply = useExistingReply(channelId, live.room)
  useRoomHeight(page)
  const channel = inGuild ?? asked.answer
  const name = channel?.name ?? ''
  useTitle(guildId, name && `#${name}`, guild.answer?.name ?? '')
  useEffect(() => void writeStored('last_guild', guildId), [guildId])

  const place = useMemo(() => ({ me, guild: guild.answer }), [me, guild.answer])
  const { why, mutedUntil, rights } = useRights(guild.answer, channel ?? null)
  const unread = useUnreadAtEntry(guildId, channelId, live.room)
  const [personId, setPersonId] = useState<string | null>(null)
  const mentionTargets = useTargets(guild.answer, setPersonId)
  const nothingYet = live.room.run.length === 0 && !live.room.atStart && !live.room.historyWindow
  useLinkedMessage(list, !nothingYet)
  // A refusal from before the channel was shown again is outdated.
  const refused = [inGuild ? null : asked.failure, guild.failure, live.failure].some(
    (failure) => failure?.name === 'forbidden' || failure?.name === 'bad_input',
  )
  // A room that was open is gone: its channel was deleted, or hidden from this person.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (channel && !refused) wasOpen.current = true
  }, [channel, refused])
  if (refused) return <Refused goneFrom={wasOpen.current && !guild.failure ? guildId : null} />

  const focusComposer = () =>
    // After the closing sheet has restored the focus.
    requestAnimationFrame(() =>
      page.current?.querySelector<HTMLElement>('[data-part="composer-input"]')?.focus(),
    )

  return (
    <MentionTargetsContext value={mentionTargets}>
      <div className={styles.room} ref={page} data-enters={enters}>
        <TopBar
          title={name || <Skeleton width={96} height={18} />}
          icon={<TextChannelIcon size={20} />}
          onBack={toList}
          actions={
            <>
              <IconButton label={tMessage.pins} onPress={() => setPinsOpen(true)}>
                <PinIcon />
              </IconButton>
              <IconButton label={t.members} onPress={toMembers}>
                <FriendsIcon />
              </IconButton>
            </>
          }
        />
        {!me.mobile_verified && <VerificationBanner />}
        <main className={styles.main}>
          {!nothingYet ? (
            <MessageList
              live={live}
              actions={actions}
              place={place}
              channelName={name}
              rights={rights}
              unread={unread}
              handle={list}
              onReply={(message) => {
                saveReply(channelId, quoteOf(message))
                focusComposer()
              }}
            />
          ) : live.failure ? (
            <ErrorState title={t.loadFailed} message={live.failure.message} onRetry={actions.retryLoading} />
          ) : (
            <MessagesSkeleton />
          )}
          {reply && why === null && (
            <ReplyBar quote={reply} place={place} onClose={() => saveReply(channelId, null)} />
          )}
          {channel && guild.answer ? (
            <RoomComposer
              guild={guild.answer}
              channel={channel}
              why={why}
              mutedUntil={mutedUntil}
              reply={reply}
              actions={actions}
              handle={composer}
              onSent={() => list.current?.toEnd()}
            />
          ) : (
            <ComposerSkeleton />
          )}
        </main>
        {pinsOpen && (
          <Suspense fallback={null}>
            <PinsSheet
              channelId={channelId}
              place={place}
              rights={rights}
              actions={actions}
              onJump={(id) => {
                setPinsOpen(false)
                list.current?.jumpTo(id)
              }}
              onClose={() => setPinsOpen(false)}
            />
          </Suspense>
        )}
        {personId !== null && (
          <Suspense fallback={null}>
            <PersonSheet
              key={personId}
              userId={personId}
              known={knownPerson(live.room, personId)}
              guildId={guildId}
              guild={guild.answer}
              meId={me.id}
              onMention={
                rights.canSend
                  ? (person) => {
                      setPersonId(null)
                      composer.current?.mention(person)
                      focusComposer()
                    }
                  : null
              }
              onClose={() => setPersonId(null)}
            />
          </Suspense>
        )}
      </div>
    </MentionTargetsContext>
  )
}

/** Where mentions in this room lead. The same object as long as the guild is. */
function useTargets(guild: Guild | null, openPerson: (userId: string) => void): MentionTargets {
  return useMemo(
    () => ({
      openPerson,
      channelPath: (channelId) => {
        const channel = guild && find(guild, channelId)
        if (!channel || channel.type !== channelType.text) return null
        return has(channel.permissions, permission.view_channel)
          ? paths.room(channel.guild_id, channelId)
          : null
      },
    }),
    [guild, openPerson],
  )
}

/** The composer of a room whose guild and channel are loaded. */
function RoomComposer(props: {
  guild: Guild
  channel: Channel
  why: WhyCannotSend | null
  mutedUntil: number | null
  reply: Quote | null
  actions: RoomController
  handle: Ref<ComposerHandle>
  onSent: () => void
}) {
  const { guild, channel, reply, actions } = props
  const me = useMe()
  const tComposer = useText(composerText)
  const channelId = channel.id
  return (
    <Composer
      channelId={channelId}
      placeholder={tComposer.placeholder(channel.name)}
      guild={guild}
      why={props.why}
      mutedUntil={props.mutedUntil}
      maxBytes={
        has(channel.permissions, permission.upload_file) ? uploadMaxBytes(guild.level, me.is_vip) : null
      }
      place={{ guild, channelId, permissions: channel.permissions }}
      handle={props.handle}
      onSend={(words, files, names) => {
        // The text carries the quote; without text the first file does.
        files.forEach((file, at) => {
          sendAttachment(actions, file, words === '' && at === 0 ? (reply ?? undefined) : undefined)
        })
        if (words !== '') actions.send(words, { names, ...(reply && { quote: reply }) })
        saveReply(channelId, null)
        props.onSent()
      }}
    />
  )
}

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

/** The way of the header's arrow: back to the guild's channels when the room was opened there. */
function useWayToList(guildId: GuildId): () => void {
  const navigate = useNavigate()
  const isFromList = useLocation().state?.from === guildId
  return () => void (isFromList ? navigate(-1) : navigate(paths.guild(guildId), { replace: true }))
}

/**
 * Why the user cannot send in the channel (null: they can, or it is not loaded), and what else they may do.
 */
function useRights(
  guild: Guild | null,
  channel: Channel | null,
): { why: WhyCannotSend | null; mutedUntil: number | null; rights: Rights } {
  const me = useMe()
  const mutedUntil = useMutedUntil(guild)
  const why =
    channel && guild
      ? whyCannotSend({
          mobile_verified: me.mobile_verified,
          is_master: guild.is_master,
          is_team: guild.team_members.includes(me.id),
          is_readonly: channel.is_readonly,
          is_muted: mutedUntil !== null,
          permissions: channel.permissions,
        })
      : null
  const rights = useMemo(
    () => ({
      meId: me.id,
      mobile_verified: me.mobile_verified,
      permissions: channel?.permissions ?? 0,
      canSend: channel !== null && why === null,
    }),
    [me, channel, why],
  )
  return { why, mutedUntil, rights }
}

function find(guild: Guild, channelId: string): Channel | null {
  const all = guild.channels.flatMap((channel) => [channel, ...channel.channels])
  return all.find((channel) => channel.id === channelId) ?? null
}
