/** Whom somebody asks who cannot log in. */
import { icon } from '../ui/icon/icon.tsx'

export const OperatorDrawing = icon(
  <>
    <g>
      <circle cx="12" cy="12" r="9" />
    </g>
    <circle cx="12" cy="12" r="3.600" />
    <path d="m5.600 5.600 3.800 3.800m5.200 5.200 3.800 3.800m0-12.800-3.800 3.800m-5.200 5.200-3.800 3.800" />
  </>,
)
