import { AvatarImage } from './AvatarImage.tsx'

/** A user's picture of `size` px, or the letters of the name. Decoration: the name is shown beside it. */
export function Avatar(props: { id: string; name: string; src: string; size: number }) {
  return <AvatarImage name={props.name} src={props.src} seed={props.id} size={props.size} />
}
