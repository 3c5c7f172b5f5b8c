/** A bill without lines. */
import { icon } from '../ui/icon/icon.tsx'

export const BillDrawing = icon(
  <>
    <g>
      <path d="M5 3h14v18l-2.300-1.600-2.400 1.600-2.300-1.600L9.700 21l-2.400-1.600L5 21z" />
    </g>
    <path d="m9 6.800 3 3.700 3-3.700M12 10.500V15M9.300 12.500h5.400" />
  </>,
)
