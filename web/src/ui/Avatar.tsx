import { AvatarImage } from './AvatarImage.tsx'

/**
 * A user's picture of `size` px, or the letters of the name. Decoration: the name is shown beside it. `moving`: the picture of a member of
 * BUFF, which may move; people who want less movement see `src`.
 */
export function Avatar(props: { id: string; name: string; src: string; moving?: string; size: number }) {
  const { moving } = props
  const src = moving && moving !== props.src && !wantsLessMotion() ? moving : props.src
  return <AvatarImage name={props.name} src={src} seed={props.id} size={props.size} />
}

const wantsLessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches
