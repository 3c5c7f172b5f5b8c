/** Where messages are forwarded to. */
import { icon } from '../../ui/icon/icon.tsx'

export const ForwardDrawing = icon(
  <>
    <g>
      <path d="M14.500 4.500H6A2.500 2.500 0 0 0 3.500 7v6.500A2.500 2.500 0 0 0 6 16h.5v4l4.500-4h3.500" />
    </g>
    <path d="M11 10.200h10M17.300 6.500l3.700 3.700-3.700 3.700" />
  </>,
)
