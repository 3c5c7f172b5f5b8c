/** Friends. */
import { icon } from '../ui/icon/icon.tsx'

export const FriendsDrawing = icon(
  <>
    <g>
      <circle cx="7" cy="11" r="3" />
      <circle cx="17" cy="11" r="3" />
    </g>
    <path d="M1.800 20.500a5.200 5.200 0 0 1 10.200-1.500 5.200 5.200 0 0 1 10.200 1.500M12 7.500 9.700 5.200a1.550 1.550 0 0 1 2.300-2.100 1.550 1.550 0 0 1 2.300 2.100z" />
  </>,
)
