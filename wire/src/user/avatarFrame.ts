/** The rings that members of BUFF may have around their faces. Ours. */
export const AVATAR_FRAMES = ['gold', 'jade', 'sky', 'dusk', 'rose'] as const
export type AvatarFrame = (typeof AVATAR_FRAMES)[number]
