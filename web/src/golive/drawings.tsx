/** A picture that is shared. */
import { icon } from '../ui/icon/icon.tsx'

export const GoliveDrawing = icon(
  <>
    <g>
      <rect x="2.500" y="4" width="19" height="13" rx="2.500" />
    </g>
    <path d="M8 20.500h8M12 17v3.500M10.300 7.800v5.400l4.500-2.700z" />
  </>,
)
