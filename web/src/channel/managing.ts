import { permission } from '@guildhall/wire/permission/permission.ts'

/**
 * The rights of which any opens a guild's settings; its sections have them (`app/guildSettings/sections.ts`).
 */
export const MANAGING =
  permission.manage_guild |
  permission.view_log |
  permission.manage_channel |
  permission.manage_invite |
  permission.manage_emoji |
  permission.manage_role |
  permission.manage_message |
  permission.manage_nickname |
  permission.remove_member |
  permission.ban_member |
  permission.mute_member |
  permission.deafen_member
