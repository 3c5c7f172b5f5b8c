/** Days that bring people. */
import { icon } from '../ui/icon/icon.tsx'

export const GrowthDrawing = icon(
  <>
    <g>
      <path d="M4.500 20.500v-5H8v5zM10.300 20.500v-8h3.400v8zM16 20.500v-11h3.500v11z" />
    </g>
    <path d="M2.500 20.500h19M4 10.500l5-4.200 3.200 2.500L18.500 3M14.800 3h3.700v3.700" />
  </>,
)
