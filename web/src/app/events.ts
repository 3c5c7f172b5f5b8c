/** Applies the events of the gateway connection to what the page shows. */
import { userState } from '@guildhall/wire/auth/userState.ts'
import { channelAdded } from '@guildhall/wire/channel/channel.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { SystemEventBody, SystemEventName, SystemEvents } from '@guildhall/wire/events.ts'
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import { viewUser } from '@guildhall/wire/guild/guild.ts'
import { TRANSFER_PATH } from '@guildhall/wire/guild/transferPath.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import {
  BOTS_PATH,
  MUTES_PATH,
  memberExited,
  memberIdentityUpdated,
  memberJoined,
  memberUpdated,
  muteAdded,
  muteDeleted,
  selfExited,
} from '@guildhall/wire/member/event.ts'
import {
  embedsAppended,
  messageDeleted,
  messagePinned,
  messageUnpinned,
  messageUpdated,
  reactionAdded,
  reactionDeleted,
} from '@guildhall/wire/message/action.ts'
import { messageOf, visibleOnlyOf } from '@guildhall/wire/message/event.ts'
import { listPins } from '@guildhall/wire/message/pin.ts'
import { listUnread, listWaiting, readMarkUpdated } from '@guildhall/wire/message/readMark.ts'
import { ROLE_MEMBERS_PATH, roleDeleted } from '@guildhall/wire/role/event.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { userUpdated } from '@guildhall/wire/user/changedIdentity.ts'
import { emojiChanged, guildChanged, guildLeft, guildsChanged } from '../guild/guild.ts'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { createListeners } from '../kit/listeners.ts'
import { cache, invalidateAnswers, invalidateRoute, queryKeyOf } from '../kit/routeQuery.ts'
import { lazyHeldCalls } from '../roomStore/held/lazyHeldCalls.ts'
import type { MessageChange } from '../roomStore/messageChange.ts'
import type { RoomStore } from '../roomStore/roomStore.ts'
import { applyMark, countMessage, recount } from '../roomStore/unreadCounts.ts'
import { spread } from './spread.ts'

/** Handles an event by its target, the guild or the user, and parses its body itself if it needs it. */
type TargetHandler = (targetId: string, body: unknown) => void

/** Handles an event with its body, parsed with the contract's schema; null when it does not fit. */
interface BodyHandler<Name extends SystemEventName> {
  readonly kind: SystemEvents[Name]
  readonly handle: (targetId: string, body: SystemEventBody<Name> | null) => void
}

/** For events that change nothing on the page. */
const ignore = () => undefined

/**
 * What each system event of the contract changes; a missing or misspelt name does not compile. protocol.md
 * §3.4.
 */
type Handlers = {
  readonly [Name in Exclude<SystemEventName, SettingsEventName>]: TargetHandler | BodyHandler<Name>
}

/** Events of which only a guild's settings show something. */
export type SettingsEventName = 'added_block_list' | 'deleted_block_list' | 'updated_held' | 'updated_notes'

const received = createListeners<[event: EventFrame['d']]>()
/** Subscribes to all events as they come, for what is loaded later. */
export const onEvent = received.subscribe
/** Announces an event to them. */
export const announce = ({ d }: EventFrame): void => received.notify(d)

type AnyBodyHandler = {
  readonly kind: { readonly body: { safeParse(body: unknown): { success: boolean; data?: unknown } } }
  readonly handle: (targetId: string, body: unknown) => void
}

type PrivateChange =
  | 'updated_private_message'
  | 'deleted_private_message'
  | 'private_added_reaction'
  | 'private_deleted_reaction'

/** Changes that the list of pinned messages does not show. */
const NOT_IN_PINS: ReadonlySet<string> = new Set(['added_reaction', 'deleted_reaction', 'embeds_append'])

/** Applies each event to the rooms and to the cached answers. */
export class EventDispatcher {
  private readonly rooms: RoomStore
  private readonly handlers: ReadonlyMap<string, TargetHandler | AnyBodyHandler>

  constructor(rooms: RoomStore) {
    this.rooms = rooms
    this.handlers = new Map(Object.entries(this.allHandlers() as object))
  }

  /** Applies one event, and announces it to who subscribed. */
  dispatch(frame: EventFrame): void {
    this.apply(frame)
    announce(frame)
  }

  /** Applies one event. Those of unknown names are skipped. */
  apply({ d }: EventFrame): void {
    if (d.type === SYSTEM_EVENT) return this.dispatchSystemEvent(d.extra.type, d.target_id, d.extra.body)
    const message = messageOf(d)
    if (!message) return
    const to = visibleOnlyOf(d)
    if (to !== null)
      return this.rooms.receiveEphemeral(message.channel_id, {
        type: 'ephemeralReceived',
        ephemeral: { message, to },
      })
    this.rooms.receiveMessage(message)
    if (message.guild_id === '') inChats((chats) => chats.messageReceived(message.channel_id))
    else countMessage(message)
  }

  /**
   * A gateway session began that does not continue another one: everything on screen is requested again, and
   * stays visible meanwhile. With the first session as well: what the page was answered before it may have
   * changed, and no event said so. chat.md §4 "code 100", decision 11.
   */
  resetSession(): void {
    invalidateAnswers()
    this.rooms.resetSession()
  }

  private dispatchSystemEvent(name: unknown, targetId: string, body: unknown): void {
    const handler = typeof name === 'string' ? this.handlers.get(name) : undefined
    if (typeof handler === 'function') return handler(targetId, body)
    if (!handler) return
    const parsed = handler.kind.body.safeParse(body)
    handler.handle(targetId, parsed.success ? parsed.data : null)
  }

  private allHandlers(): Handlers {
    return {
      ...this.guildHandlers(),
      ...this.memberHandlers(),
      ...this.messageHandlers(),
      ...this.chatHandlers(),
      ...this.userHandlers(),
      // Only bots receive these.
      guild_member_online: ignore,
      guild_member_offline: ignore,
      message_btn_click: ignore,
    }
  }

  /** A guild, its roles, emoji and channels, and whether the user is in it. */
  private guildHandlers() {
    return {
      updated_guild: guildOutdated,
      deleted_guild: guildsChanged,
      added_role: guildOutdated,
      updated_role: guildOutdated,
      deleted_role: {
        kind: roleDeleted,
        handle: (guildId, role) => {
          guildOutdated(guildId)
          if (role) this.rooms.receiveAuthorChange(guildId, { type: 'roleDeleted', roleId: role.role_id })
        },
      },
      added_emoji: emojiChanged,
      updated_emoji: emojiChanged,
      removed_emoji: emojiChanged,
      deleted_emoji: emojiChanged,
      added_channel: {
        kind: channelAdded,
        handle: (guildId, channel) => {
          guildOutdated(guildId)
          if (channel) this.rooms.resetRoom(channel.id)
        },
      },
      updated_channel: guildOutdated,
      deleted_channel: guildOutdated,
      // The changed channel is announced as well.
      sort_channel: ignore,
      self_joined_guild: guildsChanged,
      self_exited_guild: {
        kind: selfExited,
        handle: (_me, left) => (left ? guildLeft(left.guild_id) : guildsChanged()),
      },
    } satisfies Partial<Handlers>
  }

  private memberHandlers() {
    return {
      updated_guild_member: {
        kind: memberUpdated,
        handle: (guildId, member) => {
          // Of others nothing but their messages changes: in a large guild somebody is renamed at any time.
          if (!member || isPerhapsMe(member.user_id)) guildChanged(guildId)
          if (!member) return
          const { user_id: userId, ...as } = member
          invalidateRoute(viewUser)
          membersOutdated()
          this.rooms.receiveAuthorChange(guildId, { type: 'authorChanged', userId, as })
        },
      },
      updated_guild_user: {
        kind: memberIdentityUpdated,
        handle: (guildId, member) => {
          if (!member) return
          const { user_id: userId, ...identity } = member
          this.rooms.receiveAuthorChange(guildId, { type: 'faceChanged', userId, identity: identity })
          invalidateRoute(listPins)
          invalidateRoute(viewUser)
          membersOutdated()
          emojiMakerChanged(guildId, userId)
        },
      },
      joined_guild: {
        kind: memberJoined,
        handle: (guildId, member) => this.resetAuthor(guildId, member),
      },
      exited_guild: {
        kind: memberExited,
        handle: (guildId, member) => this.resetAuthor(guildId, member),
      },
      add_guild_mute: { kind: muteAdded, handle: ownMuteChanged },
      delete_guild_mute: { kind: muteDeleted, handle: ownMuteChanged },
    } satisfies Partial<Handlers>
  }

  private messageHandlers() {
    const apply = (guildId: string, change: MessageChange) => this.changeMessage(guildId, change)
    return {
      updated_message: { kind: messageUpdated, handle: changing('updated_message', apply) },
      deleted_message: { kind: messageDeleted, handle: changing('deleted_message', apply) },
      added_reaction: { kind: reactionAdded, handle: changing('added_reaction', apply) },
      deleted_reaction: { kind: reactionDeleted, handle: changing('deleted_reaction', apply) },
      pinned_message: { kind: messagePinned, handle: changing('pinned_message', apply) },
      unpinned_message: { kind: messageUnpinned, handle: changing('unpinned_message', apply) },
      embeds_append: { kind: embedsAppended, handle: changing('embeds_append', apply) },
    }
  }

  /** Private conversations. */
  private chatHandlers() {
    return {
      updated_chat_mark: () => inChats((chats) => chats.chatsChanged()),
      updated_private_message: this.inChat('updated_private_message'),
      deleted_private_message: this.inChat('deleted_private_message'),
      private_added_reaction: this.inChat('private_added_reaction'),
      private_deleted_reaction: this.inChat('private_deleted_reaction'),
    } satisfies Partial<Handlers>
  }

  /** What belongs to the user: their data, friends, settings and orders. */
  private userHandlers() {
    return {
      user_updated: {
        kind: userUpdated,
        handle: (me, identity) => {
          if (!identity) return
          const { user_id: userId, ...rest } = identity
          this.rooms.receiveAuthorChange('', {
            type: 'faceChanged',
            userId,
            identity: { ...rest, nickname: rest.username },
          })
          inChats((chats) => chats.partnerChanged())
          if (userId === me)
            void loadPart(() => import('../auth/change/changedSelf.ts')).then(({ keepIdentity }) =>
              keepIdentity(identity),
            )
          else friendsChanged()
        },
      },
      updated_read_mark: {
        kind: readMarkUpdated,
        handle: (_me, mark) => {
          if (mark) applyMark(mark)
        },
      },
      updated_friend: friendsChanged,
      updated_person_note: friendsChanged,
      updated_notify_type: (_me) => {
        invalidateRoute(listUnread)
        invalidateRoute(listWaiting)
      },
      // The server closes the connection of an ended login itself.
      login_ended: ignore,
      received_gift: (_me, body) => orderChanged(body),
      reviewed_content: (_me, body) => void lazyHeldCalls().then((it) => it.decided(this.rooms, body)),
      guild_transfer: () => invalidatePath(TRANSFER_PATH),
      // Its guild changed as well, and the official account writes to them.
      reviewed_guild: ignore,
      updated_boost_packs: (_me) => orderChanged(),
      updated_renewal: (_me) => renewalChanged(),
      updated_order: (_me) => orderChanged(),
    } satisfies Partial<Handlers>
  }

  private inChat(name: PrivateChange): TargetHandler {
    return (_me, body) => inChats((chats) => chats.messageChanged(this.rooms, name, body))
  }

  /** A member who joined or left has no nickname and no roles. */
  private resetAuthor(guildId: string, member: { readonly user_id: string } | null): void {
    if (member)
      this.rooms.receiveAuthorChange(guildId, { type: 'authorChanged', userId: member.user_id, as: null })
    membersOutdated()
    // The two may share no guild any more, or one again.
    inChats((chats) => member && chats.memberChanged(member.user_id))
  }

  private changeMessage(guildId: string, change: MessageChange): void {
    const { channel_id: channelId } = change.body
    if (change.name === 'updated_message' && change.body.visible_only)
      return this.rooms.receiveEphemeral(channelId, { type: 'ephemeralEditReceived', edit: change.body })
    this.rooms.receiveChange(channelId, change)
    if (change.name === 'updated_message' || change.name === 'deleted_message') recount(guildId, channelId)
    if (!NOT_IN_PINS.has(change.name)) invalidateRoute(listPins, { id: channelId })
  }
}

/** Every page of the guild hears of it. */
const guildOutdated = (guildId: string): void => spread('guild', guildId, () => guildChanged(guildId))

/** What a list of managers shows is asked for again where it is on a screen. */
const invalidatePath = (path: string): void => invalidateAnswers({ queryKey: ['GET', path] })
const membersOutdated = (): void => [ROLE_MEMBERS_PATH, BOTS_PATH].forEach(invalidatePath)

/** A mute changes what its own member may do; nobody else sees it. */
function ownMuteChanged(guildId: string, mute: { readonly user_id: string } | null): void {
  if (!mute || isPerhapsMe(mute.user_id)) guildChanged(guildId)
  invalidatePath(MUTES_PATH)
}

/** A handler that passes a body on as the change of this name. */
const changing =
  <Name extends MessageChange['name']>(name: Name, apply: (guildId: string, change: MessageChange) => void) =>
  (guildId: string, body: Extract<MessageChange, { name: Name }>['body'] | null): void => {
    // The compiler does not see that a generic name and its body make one member of the union.
    if (body) apply(guildId, { name, body } as unknown as MessageChange)
  }

/** The code of friends is loaded when it is first needed. */
const friendsChanged = (): void => {
  inChats((chats) => chats.partnerChanged())
  void loadPart(() => import('../friend/friend.ts')).then((it) => it.friendsChanged())
}

/** The code of orders is loaded when it is first needed. `gift`: the event of one. */
const orderChanged = (gift?: unknown): void =>
  void loadPart(() => import('../order/orderChanged.ts')).then((it) => it.orderChanged(gift))

const renewalChanged = (): void =>
  void loadPart(() => import('../order/orderChanged.ts')).then((it) => it.renewalChanged())

/**
 * Runs what private conversations do on an event. Their code is loaded with the first one, and events stay in
 * order.
 */
const inChats = (run: (chats: typeof import('../chat/chatEvents.ts')) => void): void =>
  void loadPart(() => import('../chat/chatEvents.ts')).then(run)

/** Whether a person is the user, also when it is not known yet who the user is. */
function isPerhapsMe(userId: string): boolean {
  const me = cache.getQueryData<AnswerOf<typeof userState>>(queryKeyOf(userState, {}))?.user.id
  return me === undefined || me === userId
}

/** A member has another name or picture, which the emoji that they made show. */
function emojiMakerChanged(guildId: string, userId: string): void {
  const known = cache.getQueryData<AnswerOf<typeof listGuildEmoji>>(
    queryKeyOf(listGuildEmoji, { guild_id: guildId as GuildId }),
  )
  if (!known || known.items.some(({ user_info }) => user_info?.id === userId)) emojiChanged(guildId)
}
