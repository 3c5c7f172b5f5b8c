/** The membership while none is sold. */
import { icon } from '../ui/icon/icon.tsx'

export const BuffDrawing = icon(
  <>
    <g>
      <path d="M3 7.800 7.500 11.500 12 4.500l4.500 7L21 7.800 19.200 17H4.800z" />
    </g>
    <path d="M5 20.300h14M9.500 14h5" />
  </>,
)
