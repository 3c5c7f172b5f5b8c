import { AvatarImage } from './AvatarImage.tsx'
import styles from './GuildIcon.module.css'

/** A guild's picture of `size` px, or its letters. `className` may change its shape. */
export function GuildIcon(props: {
  id: string
  name: string
  src: string
  size: number
  className?: string | undefined
}) {
  return (
    <AvatarImage
      name={props.name}
      src={props.src}
      seed={props.id}
      size={props.size}
      className={props.className ? `${styles.guild} ${props.className}` : styles.guild}
    />
  )
}
