/** A letter that invites. */
import { icon } from '../../ui/icon/icon.tsx'

export const InvitesDrawing = icon(
  <>
    <g>
      <rect x="2.500" y="5" width="19" height="14" rx="3" />
    </g>
    <path d="m3.300 7 8.700 6.500L20.700 7M3.500 18l5-5M20.500 18l-5-5" />
  </>,
)
