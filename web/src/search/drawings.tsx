/** The search. */
import { icon } from '../ui/icon/icon.tsx'

export const SearchDrawing = icon(
  <>
    <g>
      <path d="M3 5.500a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2H9l-4 3v-3a2 2 0 0 1-2-2z" />
    </g>
    <circle cx="14.500" cy="13.500" r="4.500" />
    <path d="m17.800 16.800 3.700 3.700M6.500 7.500h5" />
  </>,
)

export const NothingFoundDrawing = icon(
  <>
    <g>
      <circle cx="10.500" cy="10.500" r="6.500" />
    </g>
    <circle cx="10.500" cy="10.500" r="6.500" />
    <path d="m15.300 15.300 5.200 5.200M8.300 8.300l4.400 4.400M12.700 8.300l-4.400 4.400" />
  </>,
)
