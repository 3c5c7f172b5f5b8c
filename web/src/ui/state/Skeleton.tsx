import styles from './Skeleton.module.css'

/**
 * A placeholder in the size of the content that is loading: of `width` and `height` (px), or as `className`
 * says.
 */
export function Skeleton(props: {
  width?: number | string
  height?: number
  className?: string | undefined
}) {
  const { className } = props
  const size = className ? undefined : { width: props.width, height: props.height ?? 14 }
  return (
    <span
      className={className ? `${styles.skeleton} ${className}` : styles.skeleton}
      style={size}
      aria-hidden="true"
    />
  )
}
