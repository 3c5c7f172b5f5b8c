/** All system events by their name on the wire, sorted by name. A test checks that none is missing. */

import { loginEnded } from './auth/userState.ts'
import { boostPacksUpdated } from './boost/boost.ts'
import { channelAdded, channelDeleted, channelsSorted, channelUpdated } from './channel/channel.ts'
import { privateDeleted, privateReacted, privateUnreacted, privateUpdated } from './chat/chat.ts'
import { chatMarkUpdated } from './chat/page.ts'
import { emojiAdded, emojiDeleted, emojiRemoved, emojiUpdated } from './emoji/emoji.ts'
import type { BodyOf, EventKind } from './event.ts'
import { friendUpdated } from './friend/friend.ts'
import { personNoteUpdated } from './friend/personNote.ts'
import { guildDeleted, guildUpdated } from './guild/guild.ts'
import { guildTransferred } from './guild/transfer.ts'
import {
  banAdded,
  banDeleted,
  memberExited,
  memberIdentityUpdated,
  memberJoined,
  memberOffline,
  memberOnline,
  memberUpdated,
  muteAdded,
  muteDeleted,
  selfExited,
  selfJoined,
} from './member/event.ts'
import {
  embedsAppended,
  messageDeleted,
  messagePinned,
  messageUnpinned,
  messageUpdated,
  reactionAdded,
  reactionDeleted,
} from './message/action.ts'
import { buttonClicked } from './message/card.ts'
import { notifyTypeUpdated } from './message/notify.ts'
import { readMarkUpdated } from './message/readMark.ts'
import { heldChanged, notesChanged } from './moderation/event.ts'
import { giftReceived, orderUpdated } from './order/order.ts'
import { guildReviewed } from './profile/profile.ts'
import { renewalUpdated } from './renewal/renewal.ts'
import { roleAdded, roleDeleted, roleUpdated } from './role/event.ts'
import { contentReviewed } from './screening/screening.ts'
import { userUpdated } from './user/changedIdentity.ts'

export const systemEvents = {
  add_guild_mute: muteAdded,
  added_block_list: banAdded,
  added_channel: channelAdded,
  added_emoji: emojiAdded,
  added_reaction: reactionAdded,
  added_role: roleAdded,
  delete_guild_mute: muteDeleted,
  deleted_block_list: banDeleted,
  deleted_channel: channelDeleted,
  deleted_emoji: emojiDeleted,
  deleted_guild: guildDeleted,
  deleted_message: messageDeleted,
  deleted_private_message: privateDeleted,
  deleted_reaction: reactionDeleted,
  deleted_role: roleDeleted,
  embeds_append: embedsAppended,
  exited_guild: memberExited,
  guild_member_offline: memberOffline,
  guild_member_online: memberOnline,
  guild_transfer: guildTransferred,
  joined_guild: memberJoined,
  login_ended: loginEnded,
  message_btn_click: buttonClicked,
  pinned_message: messagePinned,
  private_added_reaction: privateReacted,
  private_deleted_reaction: privateUnreacted,
  received_gift: giftReceived,
  removed_emoji: emojiRemoved,
  reviewed_content: contentReviewed,
  reviewed_guild: guildReviewed,
  self_exited_guild: selfExited,
  self_joined_guild: selfJoined,
  sort_channel: channelsSorted,
  unpinned_message: messageUnpinned,
  updated_boost_packs: boostPacksUpdated,
  updated_channel: channelUpdated,
  updated_chat_mark: chatMarkUpdated,
  updated_emoji: emojiUpdated,
  updated_friend: friendUpdated,
  updated_guild: guildUpdated,
  updated_guild_member: memberUpdated,
  updated_guild_user: memberIdentityUpdated,
  updated_held: heldChanged,
  updated_message: messageUpdated,
  updated_notes: notesChanged,
  updated_notify_type: notifyTypeUpdated,
  updated_order: orderUpdated,
  updated_person_note: personNoteUpdated,
  updated_private_message: privateUpdated,
  updated_read_mark: readMarkUpdated,
  updated_renewal: renewalUpdated,
  updated_role: roleUpdated,
  user_updated: userUpdated,
} as const satisfies { readonly [Name in string]: EventKind<Name> }

export type SystemEvents = typeof systemEvents
export type SystemEventName = keyof SystemEvents
/** The body of the event of this name. */
export type SystemEventBody<Name extends SystemEventName> = BodyOf<SystemEvents[Name]>

/** The same for a lookup by a name that may be unknown. */
export const events: ReadonlyMap<string, EventKind> = new Map(Object.entries(systemEvents))
