/** The calls of channels’ messages. */
import { fail } from '@guildhall/wire/failure.ts'
import type { ChannelId } from '@guildhall/wire/id.ts'
import {
  addReaction,
  deleteMessage,
  deleteReaction,
  listMessages,
  pinMessage,
  unpinMessage,
  updateMessage,
  viewMessage,
} from '@guildhall/wire/message/action.ts'
import { viewActivity } from '@guildhall/wire/message/activity.ts'
import { checkCard, clickButton } from '@guildhall/wire/message/card.ts'
import { clearGuild } from '@guildhall/wire/message/clearGuild.ts'
import { kindOf } from '@guildhall/wire/message/kind.ts'
import { findCallable as findCallableRoute } from '@guildhall/wire/message/mention.ts'
import {
  createChannelMessage,
  createMessage,
  history as historyRoute,
  historyV2,
  sendToChannel,
} from '@guildhall/wire/message/message.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { listReactions } from '@guildhall/wire/message/reactors.ts'
import { clearUnread, firstUnread, listUnread, listWaiting } from '@guildhall/wire/message/readMark.ts'
import { setNotifyType } from '@guildhall/wire/message/setNotify.ts'
import { postRoles as postRolesRoute } from '@guildhall/wire/onboarding/onboarding.ts'
import type { InputOf } from '@guildhall/wire/route.ts'
import type { AppContext } from '../kit/events/events.ts'
import { type Binding, bindUser, type Caller, type Context } from '../kit/http/binding.ts'
import type { Limits } from '../kit/limits/rateLimit.ts'
import { edit, react, reactors, remove, unreact } from './actions.ts'
import { activityIn } from './activity.ts'
import { click } from './card/buttonClick.ts'
import { cardContent, type FetchPicture } from './card/card.ts'
import { refuseTemplate } from './content.ts'
import { sendEphemeral } from './ephemeral.ts'
import { history, list, view } from './history.ts'
import { limitSends } from './limit.ts'
import { findCallable } from './mention/mentionSearch.ts'
import { refusedMentions } from './mention/mentions.ts'
import { setNotify } from './notify.ts'
import { pin, pins } from './pin.ts'
import { postRoles } from './posted/rolesPost.ts'
import type { EditedMessage } from './preview/preview.ts'
import { firstUnreadOf, markGuildRead, markRead, unreadIn, waitingFor } from './readMark.ts'
import { send } from './send.ts'
import type { SendPipeline } from './sendPipeline.ts'

export interface MessageRouteDeps {
  readonly appContext: AppContext
  readonly pipeline: SendPipeline
  readonly limits: Limits
  /** Called with new content and the public address of the server. */
  readonly onEdited: (message: EditedMessage, origin: string) => void
}

export const messageRoutes = (deps: MessageRouteDeps): Binding[] => [
  ...sendRoutes(deps),
  ...historyRoutes(deps),
  ...editRoutes(deps),
  ...reactionRoutes(deps),
  ...pinRoutes(deps),
  ...cardRoutes(deps),
  ...mentionRoutes(deps),
  ...unreadRoutes(deps),
]

/** A message as the public protocol sends it. protocol.md §4.7. */
async function create(
  { appContext, pipeline, limits }: MessageRouteDeps,
  { caller, origin }: Context<Caller>,
  channelId: ChannelId,
  message: Omit<InputOf<typeof createMessage>, 'target_id'>,
) {
  const { content, quote, nonce, temp_target_id: targetId } = message
  await limitSends(limits, caller, channelId)
  refuseTemplate(message.template_id)
  const kind = kindOf(message.type, 'public')
  const input = { channelId, content, kind, quote, nonce, origin }
  if (targetId !== '') {
    const sent = await sendEphemeral(appContext, caller.userId, { ...input, targetId }, pipeline)
    return { msg_id: sent.id, msg_timestamp: sent.at, nonce, not_permissions_mention: [] }
  }
  const sent = await send(appContext, caller.userId, input, pipeline)
  const refused = kind ? await refusedMentions(appContext.db, kind, sent) : []
  return { msg_id: sent.id, msg_timestamp: sent.create_at, nonce, not_permissions_mention: refused }
}

/** Sending. */
const sendRoutes = (deps: MessageRouteDeps): Binding[] => [
  bindUser(createMessage, (context, { target_id, ...message }) => create(deps, context, target_id, message)),
  bindUser(createChannelMessage, (context, { target_id, channel_id, ...message }) => {
    const channelId = target_id ?? channel_id
    if (!channelId) throw fail('bad_input', { fields: ['target_id'] })
    return create(deps, context, channelId, message)
  }),
  bindUser(sendToChannel, async ({ caller, origin }, { id, content, objectName, nonce }) => {
    await limitSends(deps.limits, caller, id)
    const message = await send(
      deps.appContext,
      caller.userId,
      { channelId: id, content, objectName, nonce, origin },
      deps.pipeline,
    )
    return { msgId: message.id, msgTimestamp: message.create_at, nonce: message.nonce, message }
  }),
]

/** Reading. */
const historyRoutes = ({ appContext }: MessageRouteDeps): Binding[] => [
  bindUser(historyRoute, ({ caller }, { id, msgid, flag, page_size }) =>
    history(appContext, caller.userId, { conversationId: id, anchor: msgid, flag, limit: page_size }),
  ),
  bindUser(historyV2, ({ caller }, { channel_id, msgid, flag, page_size }) =>
    history(appContext, caller.userId, { conversationId: channel_id, anchor: msgid, flag, limit: page_size }),
  ),
  bindUser(listMessages, async ({ caller }, { target_id, msg_id, flag, pin, page_size }) => ({
    items: await list(appContext, caller.userId, {
      conversationId: target_id,
      anchor: msg_id,
      flag,
      pin,
      limit: page_size,
    }),
  })),
  bindUser(viewMessage, ({ caller }, { msg_id }) => view(appContext, caller.userId, msg_id)),
]

/** Editing and deleting. */
const editRoutes = ({ appContext, pipeline, onEdited }: MessageRouteDeps): Binding[] => [
  bindUser(updateMessage, ({ caller, origin }, { msg_id, content, quote, temp_target_id, template_id }) => {
    refuseTemplate(template_id)
    const targetId = temp_target_id === '' ? null : temp_target_id
    return edit(appContext, caller.userId, {
      msgId: msg_id,
      content,
      quote,
      origin,
      targetId,
      fetchPicture: pipeline.fetchPicture,
      onEdited: (message) => onEdited(message, origin),
    })
  }),
  bindUser(deleteMessage, async ({ caller }, { msg_id }) => {
    await remove(appContext, caller.userId, msg_id)
    return {}
  }),
]

/** Reactions. */
const reactionRoutes = ({ appContext }: MessageRouteDeps): Binding[] => [
  bindUser(addReaction, ({ caller }, { msg_id, emoji }) =>
    react(appContext, caller.userId, { msgId: msg_id, emoji }),
  ),
  bindUser(deleteReaction, ({ caller }, { msg_id, emoji, user_id }) =>
    unreact(appContext, caller.userId, { msgId: msg_id, emoji, ofUser: user_id }),
  ),
  bindUser(listReactions, ({ caller }, { msg_id, emoji }) =>
    reactors(appContext, caller.userId, { msgId: msg_id, emoji }),
  ),
]

/** Pinned messages. */
const pinRoutes = ({ appContext }: MessageRouteDeps): Binding[] => [
  bindUser(pinMessage, ({ caller }, { target_id, msg_id }) =>
    pin(appContext, caller.userId, { channelId: target_id, msgId: msg_id, on: true }),
  ),
  bindUser(unpinMessage, ({ caller }, { target_id, msg_id }) =>
    pin(appContext, caller.userId, { channelId: target_id, msgId: msg_id, on: false }),
  ),
  bindUser(listPins, ({ caller }, { id }) => pins(appContext, caller.userId, id)),
]

/** Cards. */
const cardRoutes = ({ appContext, pipeline }: MessageRouteDeps): Binding[] => [
  bindUser(checkCard, async ({ caller, origin }, { content }) => {
    // Pictures of other sites are not fetched, so whether they exist is not checked.
    const fetchPicture: FetchPicture | undefined =
      pipeline.fetchPicture && (async (_userId, address) => address)
    await cardContent(appContext, caller.userId, { content, origin, fetchPicture })
    return {}
  }),
  bindUser(clickButton, async ({ caller }, { msg_id, value }) => {
    await click(appContext, caller.userId, { msgId: msg_id, value })
    return {}
  }),
  bindUser(postRolesRoute, async ({ caller, locale, origin }, { guild_id, channel_id }) => {
    await postRoles(appContext, caller.userId, { guildId: guild_id, channelId: channel_id, locale, origin })
    return {}
  }),
]

/** Whom a message may mention. */
const mentionRoutes = ({ appContext }: MessageRouteDeps): Binding[] => [
  bindUser(findCallableRoute, async ({ caller }, { guild_id, channel_id, search, page_size }) => ({
    items: await findCallable(appContext, caller.userId, {
      guildId: guild_id,
      channelId: channel_id ?? null,
      search,
      most: page_size,
    }),
  })),
]

/** What is unread, what of it is told, and what was said last. */
const unreadRoutes = ({ appContext }: MessageRouteDeps): Binding[] => [
  bindUser(viewActivity, ({ caller }, { guild_id }) => activityIn(appContext, caller.userId, guild_id)),
  bindUser(listUnread, ({ caller }, { guild_id }) => unreadIn(appContext.db, caller.userId, guild_id)),
  bindUser(firstUnread, ({ caller }, { channel_id, after }) =>
    firstUnreadOf(appContext.db, caller.userId, { channelId: channel_id, after }),
  ),
  bindUser(listWaiting, ({ caller }) => waitingFor(appContext.db, caller.userId)),
  bindUser(clearGuild, ({ caller }, { guild_id }) => markGuildRead(appContext, caller.userId, guild_id)),
  bindUser(setNotifyType, ({ caller }, { guild_id, channel_id, notify_type }) =>
    setNotify(appContext, caller.userId, { guildId: guild_id, channelId: channel_id, type: notify_type }),
  ),
  bindUser(clearUnread, ({ caller }, { channel_id, msgid }) =>
    markRead(appContext, caller.userId, { channelId: channel_id, upTo: msgid }),
  ),
]
