/** What moderators have before them while nothing waits. */
import { icon } from '../ui/icon/icon.tsx'

export const HeldDrawing = icon(
  <>
    <g>
      <path d="M3.500 13H8l1.500 3h5l1.500-3h4.500v5.500a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2z" />
    </g>
    <path d="m3.500 13 2.300-5.500M20.500 13l-2.300-5.500M8.500 7l2.800 2.800 4.900-5.600" />
  </>,
)

export const RulesDrawing = icon(
  <>
    <g>
      <path d="M12 2.800 4.500 5.500v6c0 4.500 3 8 7.500 9.700 4.500-1.700 7.500-5.200 7.500-9.700v-6z" />
    </g>
    <path d="M8.500 8.800h7M8.500 12h7M8.500 15.200h4" />
  </>,
)
