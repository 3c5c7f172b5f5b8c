/** An identity card. */
import { icon } from '../ui/icon/icon.tsx'

export const IdCardDrawing = icon(
  <>
    <g>
      <rect x="2.500" y="5" width="19" height="14" rx="3" />
    </g>
    <circle cx="8.300" cy="10.300" r="2" />
    <path d="M5 15.700a3.400 3.400 0 0 1 6.600 0M14.500 10h4M14.500 14h2.500" />
  </>,
)
