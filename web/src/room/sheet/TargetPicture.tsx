import { TextChannelIcon } from '../../ui/icon/icons.tsx'
import { Avatar } from '../../ui/picture/Avatar.tsx'
import styles from './ForwardSheet.module.css'
import type { Target } from './forwardTargets.ts'

/** The face of a person, or the sign of a room in the same place. */
export const TargetPicture = ({ of }: { of: Target }) =>
  of.kind === 'person' ? <Avatar of={of.face} size={32} /> : <RoomPicture />

export const RoomPicture = () => (
  <span className={styles.room}>
    <TextChannelIcon size={20} />
  </span>
)
