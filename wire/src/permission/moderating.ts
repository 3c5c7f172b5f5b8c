/** Who counts as a moderator. */
import { permission } from './permission.ts'

/** The rights of which any makes a moderator, who writes and reads notes on members. */
export const MODERATING = permission.remove_member | permission.ban_member | permission.mute_member
