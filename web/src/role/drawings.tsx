/** Who has a role. */
import { icon } from '../ui/icon/icon.tsx'

export const RoleMembersDrawing = icon(
  <>
    <g>
      <circle cx="12" cy="9" r="6.200" />
    </g>
    <circle cx="12" cy="7.500" r="1.700" />
    <path d="M8.900 12.200a3.400 3.400 0 0 1 6.200 0M8 13.900 6.500 21l5.500-2.500 5.500 2.500-1.500-7.100" />
  </>,
)
