/** Icons of the card of a person: no first screen needs them. */
import { icon } from './icon.tsx'

export const MentionIcon = icon(
  <>
    <circle cx="12" cy="12" r="3.5" />
    <path d="M15.500 8.500v4.500a2.500 2.500 0 0 0 5 0v-1a8.500 8.500 0 1 0-3.500 6.900" />
  </>,
)

export const AddPersonIcon = icon(
  <>
    <circle cx="10" cy="8.500" r="4" />
    <path d="M3 20a7 7 0 0 1 14 0M19 8v6M16 11h6" />
  </>,
)

/** Somebody who may not speak. */
export const MuteIcon = icon(
  <path d="M20 12a7.500 7.500 0 0 1-11 6.600L4.500 20l1.400-4A7.500 7.500 0 0 1 8 6.200M12 4.500a7.500 7.500 0 0 1 6.500 3.700M4 4l16 16" />,
)

export const BanIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m6 6 12 12" />
  </>,
)
