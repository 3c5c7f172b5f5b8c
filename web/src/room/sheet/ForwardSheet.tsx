import { type Channel, channelType, type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listChats } from '@guildhall/wire/chat/chat.ts'
import { forwardMessage } from '@guildhall/wire/chat/forward.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'
import { useRef, useState } from 'react'
import { useMe } from '../../auth/auth.ts'
import { randomKey } from '../../kit/browser/randomKey.ts'
import type { CallInput } from '../../kit/call.ts'
import { useText } from '../../kit/i18n.ts'
import { useRouteQuery } from '../../kit/routeQuery.ts'
import { useCall } from '../../kit/useCall.ts'
import { ChatIcon, TextChannelIcon } from '../../ui/icon/icons.tsx'
import menuStyles from '../../ui/overlay/Menu.module.css'
import { MenuItem } from '../../ui/overlay/MenuItem.tsx'
import { Sheet } from '../../ui/overlay/Sheet.tsx'
import { toast } from '../../ui/overlay/Toast.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import { GuildIcon } from '../../ui/picture/GuildIcon.tsx'
import { EmptyState } from '../../ui/state/EmptyState.tsx'
import { LoadingState } from '../../ui/state/LoadingState.tsx'
import styles from './ForwardSheet.module.css'
import { forwardText } from './forwardText.ts'

type Target = Pick<CallInput<typeof forwardMessage>, 'to_channel_id' | 'to_user_id'>

/** Up to so many messages are sent on at once; more with a pause, as the server takes them. */
const FORWARDED_AT_ONCE = 15
/** Between two of more, ms. */
const FORWARD_PAUSE_MS = 600

/**
 * A sheet that sends messages on to a channel or a person, in their order. `chatCode`: of private messages.
 * It ends at the first that is refused, and says how many were not sent.
 */
export default function ForwardSheet(props: {
  messageIds: readonly MessageId[]
  chatCode?: string
  /** The guild whose channels are offered first; null: the first one. */
  guildId: GuildId | null
  onClose: () => void
}) {
  const t = useText(forwardText)
  const [all] = useState(() => props.messageIds.map((msg_id) => ({ msg_id, nonce: randomKey() })))
  const isSending = useRef(false)
  const forwarding = useCall(forwardMessage)
  const send = async (to: Target, name: string) => {
    if (isSending.current) return
    isSending.current = true
    for (const [at, message] of all.entries()) {
      const input = { ...message, chat_code: props.chatCode, ...to }
      const sent = await forwarding.run(input, (failure) => toast(failure.message))
      if (!sent) {
        isSending.current = false
        if (at === 0) return
        toast(t.notForwarded(all.length - at))
        return props.onClose()
      }
      if (all.length > FORWARDED_AT_ONCE) await new Promise((done) => setTimeout(done, FORWARD_PAUSE_MS))
    }
    toast(t.done(name))
    props.onClose()
  }
  return (
    <Sheet title={t.title} onClose={props.onClose}>
      <div className={styles.targets} aria-busy={forwarding.status === 'busy'}>
        <People onChoose={(id, name) => void send({ to_user_id: id }, name)} />
        <Channels
          first={props.guildId}
          onChoose={(channel) => void send({ to_channel_id: channel.id }, `#${channel.name}`)}
        />
      </div>
    </Sheet>
  )
}

function People({ onChoose }: { onChoose: (id: NonNullable<Target['to_user_id']>, name: string) => void }) {
  const t = useText(forwardText)
  const chats = useRouteQuery(listChats, {}).answer?.items ?? []
  if (chats.length === 0) return null
  return (
    <section>
      <h3 className={styles.heading}>{t.people}</h3>
      <div className={menuStyles.menu}>
        {chats.map(({ code, target_info: { id, username, avatar } }) => (
          <MenuItem
            key={code}
            icon={<Avatar id={id} name={username} src={avatar} size={32} />}
            label={username}
            onPress={() => onChoose(id, username)}
          />
        ))}
      </div>
    </section>
  )
}

function Channels({ first, onChoose }: { first: GuildId | null; onChoose: (channel: Channel) => void }) {
  const t = useText(forwardText)
  const me = useMe()
  const guilds = useRouteQuery(listGuilds, {}).answer ?? []
  const [chosen, setChosen] = useState(first)
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
      {guild.answer && offered.length === 0 && <EmptyState icon={<ChatIcon size={32} />} title={t.none} />}
      <div className={menuStyles.menu}>
        {offered.map((channel) => (
          <MenuItem
            key={channel.id}
            icon={<TextChannelIcon size={20} />}
            label={channel.name}
            onPress={() => onChoose(channel)}
          />
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
