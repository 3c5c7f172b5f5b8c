/** What the list of guilds and that of channels show while there are none. */
import { icon } from '../../ui/icon/icon.tsx'

export const NoGuildDrawing = icon(
  <>
    <g>
      <path d="M4.500 20v-8.500L12 6.500l7.500 5V20z" />
    </g>
    <path d="M10 20v-4.500a2 2 0 0 1 4 0V20M2.500 20h19M12 6.500v-4h4.500L15.200 4l1.300 1.500H12" />
  </>,
)

export const NoChannelDrawing = icon(
  <>
    <g strokeDasharray="2.800 2.400">
      <rect x="3.500" y="3.500" width="17" height="17" rx="4.500" />
    </g>
    <path d="m10.600 7.500-1.200 9M14.600 7.500l-1.200 9M7.700 10.300h9M7.300 13.700h9" />
  </>,
)
