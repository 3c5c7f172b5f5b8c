import type { PermissionName } from '@guildhall/wire/permission/permission.ts'

/** The rights in the order in which they are shown, in groups that `rightsText` names. */
export const RIGHT_GROUPS = {
  general: ['view_channel', 'create_invite', 'change_nickname'],
  messages: [
    'send_message',
    'upload_file',
    'add_reaction',
    'follow_reaction',
    'reply_to_post',
    'mention_everyone',
    'manage_message',
  ],
  people: ['manage_nickname', 'mute_member', 'deafen_member', 'remove_member', 'ban_member'],
  running: [
    'manage_channel',
    'manage_role',
    'manage_invite',
    'manage_emoji',
    'view_log',
    'manage_guild',
    'manage',
  ],
  voice: [
    'connect_audio',
    'connect_audio_passive',
    'speak',
    'use_voice_activity',
    'audio_free_mode',
    'play_soundtrack',
    'share_screen',
    'record_audio',
    'manage_audio',
  ],
} as const satisfies Readonly<Record<string, readonly PermissionName[]>>
