/**
 * Notifications of the browser: messages call a person who looks elsewhere. Loaded with the first that might.
 * Decision 126.
 */
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { type EventData, SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import { messageOf, visibleOnlyOf } from '@guildhall/wire/message/event.ts'
import type { Message } from '@guildhall/wire/message/message.ts'
import { listWaiting } from '@guildhall/wire/message/readMark.ts'
import type { AnswerOf, Route } from '@guildhall/wire/route.ts'
import { siteName } from '@guildhall/wire/siteName.ts'
import { notificationState, showNotification } from '../../kit/browser/notifications.ts'
import { playQuietSound } from '../../kit/browser/quietSound.ts'
import { readStored } from '../../kit/browser/storage.ts'
import type { CallInput } from '../../kit/call.ts'
import { currentText, locale } from '../../kit/i18n.ts'
import { paths } from '../../kit/paths.ts'
import { cache, queryKeyOf, queryOf } from '../../kit/routeQuery.ts'
import { namesIn } from '../../kmarkdown/names.ts'
import { messageLine } from '../../message/Quoted.tsx'
import { text as messageText } from '../../message/text.ts'
import { selfIn, shownAs } from '../../roomStore/unreadCounts.ts'
import { onEvent } from '../events.ts'
import { text } from './notificationsText.ts'
import { wordsOf } from './rules.ts'
import { inOneTab, isAnyLookedAt, isLookedAt, onLook } from './tabs.ts'

/** What is shown, by its room. */
const shown = new Map<string, { readonly message: Message; readonly notification: Notification }>()

onEvent((event) => event.type === SYSTEM_EVENT && closeOutdated(event))
// The page shows by itself what is new.
onLook(() => {
  if (isLookedAt()) for (const room of [...shown.keys()]) close(room)
})

function close(room: string): void {
  shown.get(room)?.notification.close()
  shown.delete(room)
}

/** A notification goes when its room was read on another device, and when its message was deleted. */
function closeOutdated({ extra }: EventData): void {
  const { type, body } = extra as { type?: unknown; body?: { [key: string]: unknown } }
  const room = String(body?.channel_id ?? body?.chat_code ?? '')
  const known = shown.get(room)
  if (!known) return
  // An open room is marked as read while the person looks at another window.
  const isOpen = document.visibilityState === 'visible' && location.pathname.endsWith(`/${room}`)
  const isRead =
    (type === 'updated_read_mark' || type === 'updated_chat_mark') &&
    Number(body?.read_seq) >= known.message.seq
  const isDeleted = type === 'deleted_message' || type === 'deleted_private_message'
  if ((isRead && !isOpen) || (isDeleted && body?.msg_id === known.message.id)) close(room)
}

let last: Promise<void> = Promise.resolve()

/**
 * A message came while the page was not looked at, and outside of the quiet hours. They are decided one after
 * the other, so that of a room the latest stays.
 */
export function received(event: EventData): void {
  const next = () => decide(event)
  last = last.then(next, next)
}

async function decide(event: EventData): Promise<void> {
  const message = notificationState() === 'on' ? messageOf(event) : null
  if (!message || visibleOnlyOf(event) !== null) return
  try {
    if (!(await calls(message)) || (await isAnyLookedAt())) return
  } catch {
    // Without the network nobody knows whether the person wants it.
    return
  }
  await inOneTab(message.id, () => {
    show(message, String(event.extra.channel_name ?? ''))
    if (readStored('notifications')?.has_sound) playQuietSound()
  })
}

/** Whether the person wants to hear of a message: by what is set for channel and guild, as badges go. */
async function calls(message: Message): Promise<boolean> {
  const { guild_id: guildId, author } = message
  const [{ blocked }, waiting] = await Promise.all([
    fresh(listFriends, {}),
    guildId ? fresh(listWaiting, {}) : null,
    // Their roles are what mentions them.
    guildId ? fresh(listGuilds, {}) : null,
  ])
  const me = selfIn(guildId)
  if (!me || author.id === me.id || blocked.some(({ friend_info }) => friend_info.id === author.id))
    return false
  if (!waiting) return true
  const known = waiting.find((it) => it.guild_id === guildId)
  return known !== undefined && shownAs(known, message, me).unread
}

/** An answer, asked for again only where an event said that it is outdated. @throws CallFailure */
const fresh = <R extends Route>(route: R, input: CallInput<R>): Promise<AnswerOf<R>> =>
  cache.fetchQuery({ ...queryOf(route, input), staleTime: Number.POSITIVE_INFINITY })

function show(message: Message, channel: string): void {
  const { id, channel_id: room, guild_id: guildId, author, kmarkdown } = message
  const guild = cache.getQueryData<AnswerOf<typeof viewGuild>>(queryKeyOf(viewGuild, { id: guildId }))
  const guilds = cache.getQueryData<AnswerOf<typeof listGuilds>>(queryKeyOf(listGuilds, {}))
  const isBare = readStored('notifications')?.is_bare === true
  const names = namesIn(kmarkdown, guild ?? null, locale())
  const { title, body } = wordsOf(
    {
      author: author.nickname || author.username,
      guild: guilds?.find((it) => it.id === guildId)?.name ?? '',
      channel: guildId && channel,
      line: messageLine(message, names, currentText(messageText)),
    },
    isBare ? { title: currentText(siteName), body: currentText(text).newMessage } : null,
  )
  const icon = (!isBare && author.avatar) || '/icon-192.png'
  const notification = showNotification(title, { body, tag: room, icon })
  if (!notification) return
  shown.set(room, { message, notification })
  notification.onclick = () => {
    window.focus()
    close(room)
    open(guildId ? paths.message(guildId, room, id) : paths.chat(room))
  }
}

/** Leads the page's router to a path, from outside of it: it follows the browser's history. */
function open(path: string): void {
  history.pushState({}, '', path)
  dispatchEvent(new PopStateEvent('popstate', { state: {} }))
}
