/** What plugs the page into an app. */
import { icon } from '../ui/icon/icon.tsx'

export const PlugDrawing = icon(
  <>
    <g>
      <path d="M6 9.500h12v2.500a6 6 0 0 1-12 0z" />
    </g>
    <path d="M9 9.500v-6M15 9.500v-6M12 18v3.500" />
  </>,
)
