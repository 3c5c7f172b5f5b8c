/** A note that is pinned. */
import { icon } from '../../ui/icon/icon.tsx'

export const PinsDrawing = icon(
  <>
    <g>
      <path d="M9.300 2.500h5.400l-.7 4 2.400 2.500H7.600L10 6.500z" />
    </g>
    <path d="M12 9v4M7 6H6.500A2.500 2.500 0 0 0 4 8.500V18a2.500 2.500 0 0 0 2.500 2.500h11A2.500 2.500 0 0 0 20 18V8.500A2.500 2.500 0 0 0 17.500 6H17M8 17h8" />
  </>,
)
