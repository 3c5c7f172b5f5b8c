/** What is given to a friend. */
import { icon } from '../ui/icon/icon.tsx'

export const GiftDrawing = icon(
  <>
    <g>
      <path d="M3.500 9.500h17v3.500h-17zM5 13h14v7.500H5z" />
    </g>
    <path d="M12 9.500v11M12 9.500c-3.200 0-5-1.300-5-3.200C7 4.900 8 4 9.200 4c2 0 2.800 2.700 2.800 5.500 0-2.800.8-5.500 2.800-5.500C16 4 17 4.900 17 6.300c0 1.900-1.800 3.200-5 3.200z" />
  </>,
)
