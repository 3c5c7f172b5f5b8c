/** What a change of the account needs first. */
import { icon } from '../../ui/icon/icon.tsx'

export const DigitsDrawing = icon(
  <>
    <g>
      <rect x="2.500" y="6.500" width="19" height="11" rx="3.500" />
    </g>
    <path d="m7.700 9-.9 6M10.500 9l-.9 6M5.700 11h5.700M5.400 13h5.700M14 11.600v.8M16.300 11.600v.8M18.600 11.600v.8" />
  </>,
)

export const PasswordDrawing = icon(
  <>
    <g>
      <circle cx="8" cy="15.500" r="5" />
    </g>
    <path d="m11.600 12 8.900-8.900M15.500 8l3.300 3.300M18 5.500l2.200 2.200M7 16.500v.1" />
  </>,
)
