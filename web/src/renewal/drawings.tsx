/** What comes again each month. */
import { icon } from '../ui/icon/icon.tsx'

export const RenewalDrawing = icon(
  <>
    <g>
      <rect x="3.500" y="5" width="17" height="15.500" rx="2.500" />
    </g>
    <path d="M8 3v4M16 3v4M3.500 9.300h17M15.300 13.600a3.600 3.600 0 1 0 .2 2.800M15.700 11.500V14h-2.500" />
  </>,
)
