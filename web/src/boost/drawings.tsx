/** A guild that rises. */
import { icon } from '../ui/icon/icon.tsx'

export const BoostedGuildDrawing = icon(
  <>
    <g>
      <path d="M3.500 20.500V14L9 10l5.500 4v6.500z" />
    </g>
    <path d="M7.500 20.500v-3.300h3v3.300M2 20.500h14M18.700 18V5m-3.200 3.300L18.700 5l3.200 3.300" />
  </>,
)
