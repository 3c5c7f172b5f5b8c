/** A bot. */
import { icon } from '../ui/icon/icon.tsx'

export const BotDrawing = icon(
  <>
    <g>
      <rect x="4.500" y="8.500" width="15" height="11.500" rx="3.500" />
    </g>
    <circle cx="12" cy="4" r="1.300" />
    <path d="M12 5.300v3.200M2 12.500v3.500M22 12.500v3.500M9 12.500V14M15 12.500V14M9.800 17h4.400" />
  </>,
)
