/** Applies the events of the gateway connection to what the page shows. */
import { userState } from '@guildhall/wire/auth/auth.ts'
import {
  privateDeleted,
  privateReacted,
  privateUnreacted,
  privateUpdated,
  viewChat,
} from '@guildhall/wire/chat/chat.ts'
import { listGuildEmoji } from '@guildhall/wire/emoji/emoji.ts'
import type { SystemEventBody, SystemEventName, SystemEvents } from '@guildhall/wire/events.ts'
import { listFriends } from '@guildhall/wire/friend/friend.ts'
import type { EventFrame } from '@guildhall/wire/gateway/frame.ts'
import { SYSTEM_EVENT } from '@guildhall/wire/gateway/frame.ts'
import {
  memberExited,
  memberJoined,
  memberUpdated,
  roleDeleted,
  viewUser,
} from '@guildhall/wire/guild/guild.ts'
import { memberFaceUpdated } from '@guildhall/wire/guild/memberFace.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
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
import { listUnread, listWaiting, readMarkUpdated } from '@guildhall/wire/message/reading.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { userUpdated } from '@guildhall/wire/user/changedFace.ts'
import { changeOf, chatsChanged, partnerChanged } from '../chat/chat.ts'
import { emojiChanged, guildChanged, guildsChanged } from '../guild/guild.ts'
import { loadPart } from '../kit/laterPart.ts'
import { cache, invalidateRoute, queryKeyOf } from '../kit/routeQuery.ts'
import type { MessageChange } from '../roomStore/messageChange.ts'
import type { RoomStore } from '../roomStore/roomStore.ts'
import { applyMark, countMessage, recount } from '../roomStore/unreadCounts.ts'

/** Handles an event by its target, the guild or the user, and needs nothing of its body. */
type TargetHandler = (targetId: string) => void

/** Handles an event with its body, parsed with the contract's schema; null when it does not fit. */
interface BodyHandler<Name extends SystemEventName> {
  readonly kind: SystemEvents[Name]
  readonly handle: (targetId: string, body: SystemEventBody<Name> | null) => void
}

/** For events that change nothing on the page. */
const ignore = () => undefined

/** What each system event of the contract changes; a missing or misspelt name does not compile. protocol.md §3.4. */
type Handlers = { readonly [Name in SystemEventName]: TargetHandler | BodyHandler<Name> }

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
  private hadSession = false

  constructor(rooms: RoomStore) {
    this.rooms = rooms
    this.handlers = new Map(Object.entries(this.allHandlers() as object))
  }

  /** Applies one event. Those of unknown names are skipped. */
  dispatch({ d }: EventFrame): void {
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
    if (message.guild_id === '') chatsChanged()
    else countMessage(message)
  }

  /**
   * A gateway session began that does not continue the last one: everything on screen is requested again, and stays
   * visible meanwhile. chat.md §4 "code 100", decision 11.
   */
  resetSession(): void {
    guildsChanged()
    partnerChanged()
    this.rooms.resetSession()
    invalidateRoute(listPins)
    // The page has just requested the user's state itself when its first session begins.
    if (this.hadSession) invalidateRoute(userState)
    this.hadSession = true
  }

  private dispatchSystemEvent(name: unknown, targetId: string, body: unknown): void {
    const handler = typeof name === 'string' ? this.handlers.get(name) : undefined
    if (typeof handler === 'function') return handler(targetId)
    if (!handler) return
    const parsed = handler.kind.body.safeParse(body)
    handler.handle(targetId, parsed.success ? parsed.data : null)
  }

  private allHandlers(): Handlers {
    return {
      updated_guild: guildChanged,
      deleted_guild: guildsChanged,
      added_role: guildChanged,
      updated_role: guildChanged,
      deleted_role: {
        kind: roleDeleted,
        handle: (guildId, role) => {
          guildChanged(guildId)
          if (role) this.rooms.receiveAuthorChange(guildId, { type: 'roleDeleted', roleId: role.role_id })
        },
      },
      updated_guild_member: {
        kind: memberUpdated,
        handle: (guildId, member) => {
          guildChanged(guildId)
          if (!member) return
          const { user_id: userId, ...as } = member
          this.rooms.receiveAuthorChange(guildId, { type: 'authorChanged', userId, as })
        },
      },
      updated_guild_user: {
        kind: memberFaceUpdated,
        handle: (guildId, member) => {
          if (!member) return
          const { user_id: userId, ...face } = member
          this.rooms.receiveAuthorChange(guildId, { type: 'faceChanged', userId, face })
          invalidateRoute(listPins)
          invalidateRoute(viewUser)
          emojiMakerChanged(guildId, userId)
        },
      },
      user_updated: {
        kind: userUpdated,
        handle: (me, face) => {
          if (!face) return
          const { user_id: userId, ...rest } = face
          this.rooms.receiveAuthorChange('', {
            type: 'faceChanged',
            userId,
            face: { ...rest, nickname: rest.username },
          })
          partnerChanged()
          invalidateRoute(listFriends)
          if (userId === me)
            void loadPart(() => import('../auth/changedSelf.ts')).then(({ keepFace }) => keepFace(face))
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
      added_emoji: emojiChanged,
      updated_emoji: emojiChanged,
      removed_emoji: emojiChanged,
      deleted_emoji: emojiChanged,
      added_channel: guildChanged,
      updated_channel: guildChanged,
      deleted_channel: guildChanged,
      self_joined_guild: guildsChanged,
      self_exited_guild: guildsChanged,
      ...this.messageHandlers(),
      updated_read_mark: {
        kind: readMarkUpdated,
        handle: (_me, mark) => {
          if (mark) applyMark(mark)
        },
      },
      updated_friend: () => {
        invalidateRoute(listFriends)
        partnerChanged()
      },
      updated_notify_type: (_me) => {
        invalidateRoute(listUnread)
        invalidateRoute(listWaiting)
      },
      // The server closes the connection of an ended login itself.
      login_ended: ignore,
      // Only bots receive it.
      message_btn_click: ignore,
      updated_chat_mark: chatsChanged,
      updated_private_message: this.privateHandler(privateUpdated, 'updated_message'),
      deleted_private_message: this.privateHandler(privateDeleted, 'deleted_message'),
      private_added_reaction: this.privateHandler(privateReacted, 'added_reaction'),
      private_deleted_reaction: this.privateHandler(privateUnreacted, 'deleted_reaction'),
    }
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

  /** A change of a private message is one of the same name in a channel. */
  private privateHandler<Name extends PrivateChange>(
    kind: SystemEvents[Name],
    name: MessageChange['name'],
  ): BodyHandler<Name> {
    return {
      kind,
      handle: (_me, body) => {
        if (!body) return
        this.rooms.receiveChange(body.chat_code, changeOf(name, body))
        if (name === 'updated_message' || name === 'deleted_message') chatsChanged()
      },
    }
  }

  /** A member who joined or left has no nickname and no roles. */
  private resetAuthor(guildId: string, member: { readonly user_id: string } | null): void {
    if (member)
      this.rooms.receiveAuthorChange(guildId, { type: 'authorChanged', userId: member.user_id, as: null })
    // The two may share no guild any more, or one again.
    invalidateRoute(viewChat)
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

/** A handler that passes a body on as the change of this name. */
const changing =
  <Name extends MessageChange['name']>(name: Name, apply: (guildId: string, change: MessageChange) => void) =>
  (guildId: string, body: Extract<MessageChange, { name: Name }>['body'] | null): void => {
    // The compiler does not see that a generic name and its body make one member of the union.
    if (body) apply(guildId, { name, body } as unknown as MessageChange)
  }

/** A member has another name or picture, which the emoji that they made show. */
function emojiMakerChanged(guildId: string, userId: string): void {
  const known = cache.getQueryData<AnswerOf<typeof listGuildEmoji>>(
    queryKeyOf(listGuildEmoji, { guild_id: guildId as GuildId }),
  )
  if (known?.items.some(({ user_info }) => user_info?.id === userId)) emojiChanged(guildId)
}
