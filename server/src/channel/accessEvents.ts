/** Which events change access: who may see a guild's channels and do what in them. */
import type { SystemEventName } from '@guildhall/wire/events.ts'
import { eventsMarked } from '../kit/eventKind.ts'

/**
 * What an event of the contract changes: `guild`, permissions in the whole guild; `member`, those of one person; null,
 * none. A new event does not compile until it is listed here.
 */
const ACCESS_CHANGES: Readonly<Record<SystemEventName, 'guild' | 'member' | null>> = {
  add_guild_mute: 'member',
  added_block_list: null,
  added_channel: 'guild',
  added_emoji: null,
  added_reaction: null,
  added_role: 'guild',
  delete_guild_mute: 'member',
  deleted_block_list: null,
  deleted_channel: 'guild',
  deleted_emoji: null,
  deleted_guild: 'guild',
  deleted_message: null,
  deleted_private_message: null,
  deleted_reaction: null,
  deleted_role: 'guild',
  embeds_append: null,
  exited_guild: 'member',
  guild_member_offline: null,
  guild_member_online: null,
  joined_guild: 'member',
  login_ended: null,
  message_btn_click: null,
  pinned_message: null,
  private_added_reaction: null,
  private_deleted_reaction: null,
  received_gift: null,
  reviewed_content: null,
  reviewed_guild: null,
  removed_emoji: null,
  self_exited_guild: null,
  self_joined_guild: null,
  sort_channel: null,
  unpinned_message: null,
  updated_boost_packs: null,
  updated_channel: 'guild',
  updated_chat_mark: null,
  updated_emoji: null,
  updated_friend: null,
  updated_guild: 'guild',
  updated_guild_member: 'member',
  updated_guild_user: null,
  updated_message: null,
  updated_notify_type: null,
  updated_order: null,
  updated_renewal: null,
  updated_private_message: null,
  updated_read_mark: null,
  updated_role: 'guild',
  user_updated: null,
}

/** Events that change the permissions of a guild. */
export const PERMISSION_EVENTS = eventsMarked(ACCESS_CHANGES, 'guild')
/** Events that change what one person may see and do. Their body has a `user_id`. */
export const MEMBER_EVENTS = eventsMarked(ACCESS_CHANGES, 'member')
