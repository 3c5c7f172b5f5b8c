/** The channels of a guild, in its settings. */
import { icon } from '../../ui/icon/icon.tsx'

export const TreeDrawing = icon(
  <>
    <g>
      <rect x="3" y="3" width="9" height="5.500" rx="1.700" />
    </g>
    <path d="M6.500 8.500v7a3 3 0 0 0 3 3H12M6.500 12H12" />
    <rect x="12" y="9.700" width="9" height="4.600" rx="1.500" />
    <rect x="12" y="16.200" width="9" height="4.600" rx="1.500" />
  </>,
)
