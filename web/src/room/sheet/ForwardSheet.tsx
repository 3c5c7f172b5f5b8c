import { type Channel, channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listRooms } from '@guildhall/wire/channel/rooms.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useState } from 'react'
import { useMe } from '../../auth/auth.ts'
import { storedList } from '../../kit/browser/storedList.ts'
import { useText } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { SearchField } from '../../ui/form/SearchField.tsx'
import { useSearch } from '../../ui/form/useSearch.ts'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import { ForwardDrawing } from './drawings.tsx'
import styles from './ForwardSheet.module.css'
import { ForwardStep } from './ForwardStep.tsx'
import { foundTargets, recentTargets, type Target, targetsOf } from './forwardTargets.ts'
import { forwardText } from './forwardText.ts'
import { RoomPicture, TargetPicture } from './TargetPicture.tsx'

/**
 * A sheet that sends messages on to a channel or a person, in their order, and a word of one's own after
 * them. `chatCode`: of private messages.
 */
export default function ForwardSheet(props: {
  messageIds: readonly MessageId[]
  chatCode?: string
  /** The guild whose channels are offered first; null: the first one. */
  guildId: GuildId | null
  onClose: () => void
}) {
  const t = useText(forwardText)
  const [to, setTo] = useState<Target | null>(null)
  return (
    <Sheet title={t.title} onClose={props.onClose}>
      <div className={styles.targets}>
        {to ? (
          <ForwardStep {...props} to={to} onBack={() => setTo(null)} />
        ) : (
          <Choice first={props.guildId} onChoose={setTo} />
        )}
      </div>
    </Sheet>
  )
}

function Choice({ first, onChoose }: { first: GuildId | null; onChoose: (to: Target) => void }) {
  const t = useText(forwardText)
  const searched = useSearch()
  const chats = useRouteQuery(listChats, {})
  const friends = useRouteQuery(listFriends, { type: 'friend' })
  const rooms = useRouteQuery(listRooms, {})
  const guilds = useRouteQuery(listGuilds, {})
  const [recent] = useState(() => storedList('recent'))
  const all = targetsOf({
    chats: chats.answer?.items ?? [],
    friends: friends.answer?.friend ?? [],
    rooms: rooms.answer ?? [],
    guilds: guilds.answer ?? [],
  })
  const typed = searched.typed.trim()
  const found = typed === '' ? [] : foundTargets(all, typed)
  const isLoading = [chats, friends, rooms].some(({ status }) => status === 'loading')
  return (
    <>
      <SearchField label={t.search} hint={t.searchHint} of={searched} />
      {typed === '' ? (
        <>
          <Targets title={t.recent} targets={recentTargets(all, recent)} onChoose={onChoose} />
          <Channels first={first} guilds={guilds.answer ?? []} onChoose={onChoose} />
        </>
      ) : found.length > 0 ? (
        <Targets title={t.found} targets={found} onChoose={onChoose} />
      ) : isLoading ? (
        <LoadingState />
      ) : (
        <EmptyState icon={<ForwardDrawing />} title={t.noMatch} />
      )}
    </>
  )
}

function Targets(props: { title: string; targets: readonly Target[]; onChoose: (to: Target) => void }) {
  if (props.targets.length === 0) return null
  return (
    <section>
      <h3 className={styles.heading}>{props.title}</h3>
      <div className={menuStyles.menu}>
        {props.targets.map((it) => (
          <button
            key={it.path}
            type="button"
            className={menuStyles.item}
            data-part="forward-target"
            onClick={() => props.onChoose(it)}
          >
            <TargetPicture of={it} />
            <span className={styles.name}>{it.name}</span>
            <span className={styles.detail}>{it.detail}</span>
          </button>
        ))}
      </div>
    </section>
  )
}

function Channels(props: {
  first: GuildId | null
  guilds: readonly { readonly id: GuildId; readonly name: string; readonly icon: string }[]
  onChoose: (to: Target) => void
}) {
  const { guilds } = props
  const t = useText(forwardText)
  const me = useMe()
  const [chosen, setChosen] = useState(props.first)
  const guildId = chosen ?? guilds[0]?.id ?? null
  const guild = useRouteQuery(viewGuild, { id: guildId as GuildId }, guildId !== null)
  const offered = guild.answer ? writableIn(guild.answer, me.id) : []
  return (
    <section>
      <h3 className={styles.heading}>{t.channels}</h3>
      {guilds.length > 1 && (
        <div className={styles.guilds} role="radiogroup" aria-label={t.guilds}>
          {guilds.map(({ id, name, icon }) => (
            // biome-ignore lint/a11y/useSemanticElements: a picture that is chosen
            <button
              key={id}
              type="button"
              role="radio"
              className={styles.guild}
              aria-checked={id === guildId}
              title={name}
              aria-label={name}
              onClick={() => setChosen(id)}
            >
              <GuildIcon id={id} name={name} src={icon} size={44} />
            </button>
          ))}
        </div>
      )}
      {guild.status === 'loading' && <LoadingState />}
      {guild.status === 'failed' && <p className={styles.none}>{guild.failure.message}</p>}
      {guild.answer && offered.length === 0 && <EmptyState icon={<ForwardDrawing />} title={t.none} />}
      <div className={menuStyles.menu}>
        {offered.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            className={menuStyles.item}
            onClick={() =>
              props.onChoose({
                kind: 'room',
                id,
                path: paths.room(guildId ?? '', id),
                name,
                spelling: '',
                detail: guild.answer?.name ?? '',
              })
            }
          >
            <RoomPicture />
            <span className={styles.name}>{name}</span>
          </button>
        ))}
      </div>
    </section>
  )
}

/** The text channels of a guild that its viewer, `me`, may write in, in the order of the tree. */
function writableIn(guild: Guild, me: UserId): Channel[] {
  const isTrusted = guild.is_master || guild.team_members.includes(me)
  return guild.channels
    .flatMap((it) => (it.is_category ? it.channels : [it]))
    .filter(({ type, permissions }) => type === channelType.text && has(permissions, permission.send_message))
    .filter(({ is_readonly }) => !is_readonly || isTrusted)
}
