/** To whom a guild is handed. */
import { icon } from '../../ui/icon/icon.tsx'

export const ReceiverDrawing = icon(
  <>
    <g>
      <path d="M8 7.500 7.300 3 10 4.800l2-2.600 2 2.600L16.700 3 16 7.500z" />
    </g>
    <path d="M15.200 7.500v.9a3.200 3.200 0 0 1-6.400 0v-.9M5.500 21a6.500 6.500 0 0 1 13 0" />
  </>,
)
