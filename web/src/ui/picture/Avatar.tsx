import { AvatarImage } from './AvatarImage.tsx'

/** A person, as far as their face is drawn of it. */
export interface Face {
  readonly id: string
  readonly username: string
  /** Its letters stand for those of the username, in guilds. */
  readonly nickname?: string | undefined
  readonly avatar: string
  /** The picture of a member of BUFF, which may move. */
  readonly vip_avatar?: string | undefined
  readonly avatar_frame?: string | undefined
}

/**
 * A person's face of `size` px: their picture, which moves for members of BUFF unless the reader wants less
 * movement, or the letters of their name, in the ring that they chose (base.css draws it, for every room
 * loads it). Decoration: the name is shown beside it.
 */
export function Avatar({
  of,
  size,
  name = of.nickname || of.username,
}: {
  of: Face
  size: number
  name?: string
}) {
  const { vip_avatar, avatar_frame } = of
  const src = vip_avatar && !matchMedia('(prefers-reduced-motion)').matches ? vip_avatar : of.avatar
  return (
    <AvatarImage
      name={name}
      src={src}
      seed={of.id}
      size={size}
      className={avatar_frame && `frame-${avatar_frame}`}
    />
  )
}
