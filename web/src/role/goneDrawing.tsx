/** The label of a role that is gone. */
import { icon } from '../ui/icon/icon.tsx'

export const RoleGoneDrawing = icon(
  <>
    <g strokeDasharray="2.800 2.400">
      <path d="M3.500 12V5A1.500 1.500 0 0 1 5 3.500h7l8.300 8.300a1.600 1.600 0 0 1 0 2.300l-6.200 6.200a1.600 1.600 0 0 1-2.300 0z" />
    </g>
    <circle cx="7.700" cy="7.700" r="1.300" />
    <path d="m10.500 11 4.500 4.500m0-4.500-4.500 4.500" />
  </>,
)
