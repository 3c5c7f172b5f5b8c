/** What leads to guilds. */
import { icon } from '../../ui/icon/icon.tsx'

export const DiscoverDrawing = icon(
  <>
    <g>
      <circle cx="12" cy="12" r="9" />
    </g>
    <path d="m16 8-2.500 5.500L8 16l2.500-5.500zM12 3v1.500M12 19.500V21M3 12h1.500M19.500 12H21" />
  </>,
)
