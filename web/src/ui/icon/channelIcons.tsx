/** Icons of the list of channels and of other pages; a room needs none of them. */
import { icon } from './icon.tsx'

export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)

export const BellOffIcon = icon(
  <path d="M6 16V11a6 6 0 0 1 1-3.300M9.500 5.500A6 6 0 0 1 18 11v5M4.500 18H18M10 20.500h4M4 4l16 16" />,
)

export const CompassIcon = icon(<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.500 8.500l-2 5-5 2 2-5z" />)

export const GuildsIcon = icon(
  <path d="M3.5 10.5 12 4.500l8.5 6M6 12v7m12-7v7M3.5 19.500h17M10 19.500v-4a2 2 0 0 1 4 0v4" />,
)

export const LockIcon = icon(
  <>
    <g>
      <rect x="5" y="11" width="14" height="9" rx="2" />
    </g>
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </>,
)

export const ShieldIcon = icon(
  <>
    <path d="M12 3.5 5 6v5.500c0 4.2 2.8 7.4 7 9 4.2-1.6 7-4.8 7-9V6z" />
    <path d="m9 12 2.2 2.200L15.2 10" />
  </>,
)

export const EditIcon = icon(
  <path d="M4.500 19.500l1-4.500L16 4.500l3.500 3.500L9 18.500zM13.500 7l3.500 3.500" />,
)
