import { AvatarImage } from './AvatarImage.tsx'

/**
 * A user's picture of `size` px, or the letters of the name. Decoration: the name is shown beside it.
 * `moving`: the picture of a member of BUFF, which may move; people who want less movement see `src`.
 */
export function Avatar(props: {
  id: string
  name: string
  src: string
  moving?: string | undefined
  size: number
}) {
  const { moving } = props
  const src = moving && !matchMedia('(prefers-reduced-motion)').matches ? moving : props.src
  return <AvatarImage name={props.name} src={src} seed={props.id} size={props.size} />
}
