/** What pages around the product show. */
import { icon } from '../ui/icon/icon.tsx'

export const InvitationDrawing = icon(
  <>
    <g>
      <path d="M3.500 9.500V19A1.500 1.500 0 0 0 5 20.500h14a1.500 1.500 0 0 0 1.500-1.500V9.500L12 16z" />
    </g>
    <path d="M3.500 9.500 6.500 7M20.500 9.500l-3-2.500M6.500 11.800V3.500h11v8.300M9.500 7h5M9.500 10h3" />
  </>,
)

export const RefundDrawing = icon(
  <>
    <g>
      <circle cx="12.500" cy="11.500" r="7" />
    </g>
    <path d="m10 8 2.500 3.300L15 8M12.500 11.300v4.200M10.200 13h4.600M2.800 12a9.700 9.700 0 0 0 15.700 7.300M1.500 14.500 2.800 12l2.600 1.200" />
  </>,
)
