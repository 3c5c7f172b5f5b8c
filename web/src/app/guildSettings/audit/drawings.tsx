/** What was done, and when. */
import { icon } from '../../../ui/icon/icon.tsx'

export const AuditDrawing = icon(
  <>
    <g>
      <path d="M18.500 10.500V6a2.500 2.500 0 0 0-2.500-2.500H6A2.500 2.500 0 0 0 3.500 6v12A2.500 2.500 0 0 0 6 20.500h5" />
    </g>
    <path d="M7.500 8h7M7.500 12h3" />
    <circle cx="16.700" cy="16.500" r="4.600" />
    <path d="M16.700 14.300v2.400l1.600 1" />
  </>,
)
