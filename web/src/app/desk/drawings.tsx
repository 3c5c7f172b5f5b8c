/** A door to a room. */
import { icon } from '../../ui/icon/icon.tsx'

export const RoomDrawing = icon(
  <>
    <path d="M2.500 20.500H6M14 20.500h7.500M18 20.500v-16a1 1 0 0 0-1-1H6.500" />
    <g>
      <path d="M6 3.500 14 6v16l-8-1.500z" />
    </g>
    <path d="M11 13v1.200" />
  </>,
)
