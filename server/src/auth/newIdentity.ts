import type { AvatarFrame } from '@guildhall/wire/user/avatarFrame.ts'

/**
 * Another name, picture, number or ring around the face; absent: it stays. `''`: no picture, the number that
 * was given, or no ring.
 */
export interface NewIdentity {
  readonly username?: string | undefined
  readonly avatar?: string | undefined
  readonly identify_num?: string | undefined
  readonly avatar_frame?: AvatarFrame | '' | undefined
}
