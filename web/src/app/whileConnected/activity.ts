/**
 * Keeps the last words of channels current by the events that the page receives. Loaded with the first
 * connection.
 */
import type { EventData } from '@guildhall/wire/gateway/frame.ts'
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { messageUpdated } from '@guildhall/wire/message/action.ts'
import { type LastWords, lastWordsOf, viewActivity } from '@guildhall/wire/message/activity.ts'
import { messageOf, visibleOnlyOf } from '@guildhall/wire/message/event.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { cache, invalidateRoute, queryKeyOf } from '../../kit/routeQuery.ts'
import { connection } from '../composition.ts'
import { onEvent } from '../events.ts'
import { spread } from '../spread.ts'

type Activity = AnswerOf<typeof viewActivity>

/** Events after which other channels may be visible, or somebody have another name. */
const OUTDATES: ReadonlySet<unknown> = new Set([
  'added_channel',
  'updated_channel',
  'deleted_channel',
  'added_role',
  'updated_role',
  'deleted_role',
  'updated_guild',
])
/** The same of one member: of those alone who said something last. */
const OUTDATES_NAMES: ReadonlySet<unknown> = new Set([
  'updated_guild_member',
  'updated_guild_user',
  'joined_guild',
  'exited_guild',
])

/** Applies a change to what is known of a guild; an answer under way may be older and is asked for again. */
function change(guildId: string, apply: (known: Activity) => Activity): void {
  const input = { guild_id: guildId as GuildId }
  const key = queryKeyOf(viewActivity, input)
  const state = cache.getQueryState<Activity>(key)
  if (!state) return
  if (state.data) cache.setQueryData(key, apply(state.data))
  if (state.isInvalidated || state.fetchStatus === 'fetching') invalidateRoute(viewActivity, input)
}

const outdated = (guildId: string) => invalidateRoute(viewActivity, { guild_id: guildId })

/** Whether one of the last words may be what is looked for: before the answer it is not known. */
const isAmong = (guildId: string, fits: (words: LastWords) => boolean): boolean =>
  cache
    .getQueryData<Activity>(queryKeyOf(viewActivity, { guild_id: guildId as GuildId }))
    ?.channels.some(({ last_words }) => last_words !== null && fits(last_words)) !== false

function said(event: EventData): void {
  const message = messageOf(event)
  if (!message || message.guild_id === '' || visibleOnlyOf(event) !== null) return
  const { seq, channel_id, guild_id } = message
  change(guild_id, (known) => ({
    ...known,
    channels: known.channels.map((it) =>
      it.channel_id === channel_id && seq > it.last_seq
        ? { ...it, last_seq: seq, last_words: lastWordsOf(message) }
        : it,
    ),
  }))
}

function edited(guildId: string, body: unknown): void {
  const edit = messageUpdated.body.safeParse(body).data
  if (!edit || edit.visible_only) return
  const withEdit = (words: LastWords): LastWords =>
    words.id === edit.msg_id && edit.updated_at > words.updated_at
      ? lastWordsOf({ ...words, ...edit, id: words.id, type: words.type })
      : words
  change(guildId, (known) => ({
    ...known,
    channels: known.channels.map((it) => ({ ...it, last_words: it.last_words && withEdit(it.last_words) })),
  }))
}

onEvent((event) => {
  if (event.type !== SYSTEM_EVENT) return said(event)
  const { target_id: guildId } = event
  const { type, body } = event.extra as { type?: unknown; body?: { msg_id?: unknown; user_id?: unknown } }
  if (type === 'updated_message') edited(guildId, body)
  else if (type === 'deleted_message') {
    if (isAmong(guildId, ({ id }) => id === body?.msg_id)) outdated(guildId)
  } else if (OUTDATES_NAMES.has(type)) {
    if (isAmong(guildId, ({ author }) => author.id === body?.user_id)) outdated(guildId)
  } else if (OUTDATES.has(type)) spread('activity', guildId, () => outdated(guildId))
})

/** Without a connection nothing was heard, and others came and went. */
const onConnection = () => {
  if (connection.status() === 'connected') invalidateRoute(viewActivity)
}
connection.subscribe(onConnection)
onConnection()
