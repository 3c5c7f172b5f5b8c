/** What settings of members show while their lists are empty. */
import { icon } from '../../ui/icon/icon.tsx'

export const MembersDrawing = icon(
  <>
    <g>
      <rect x="4" y="3.500" width="16" height="17" rx="2.500" />
    </g>
    <circle cx="8.300" cy="8" r="1.300" />
    <circle cx="8.300" cy="12.300" r="1.300" />
    <circle cx="8.300" cy="16.600" r="1.300" />
    <path d="M12 8h4.500M12 12.300h4.500M12 16.600h2.500" />
  </>,
)

export const BansDrawing = icon(
  <>
    <g>
      <circle cx="9.500" cy="8" r="3.800" />
      <path d="M13.200 20H2.500a7 7 0 0 1 9.500-6.500" />
    </g>
    <circle cx="17.200" cy="16.700" r="4.300" />
    <path d="m14.200 13.700 6 6" />
  </>,
)

export const MutesDrawing = icon(
  <>
    <g>
      <rect x="9" y="3" width="6" height="10.500" rx="3" />
    </g>
    <path d="M5.500 11a6.500 6.500 0 0 0 13 0M12 17.500V21M9 21h6M4 4l16 16" />
  </>,
)
