/** Where the way leads. */
import { icon } from '../ui/icon/icon.tsx'

export const SignpostDrawing = icon(
  <>
    <g>
      <path d="M6 4.500h11.500L20.500 7l-3 2.500H6zM18 11.500H7L4 14l3 2.500h11z" />
    </g>
    <path d="M12 2.500v2M12 9.500v2M12 16.500v5M9 21.500h6" />
  </>,
)
