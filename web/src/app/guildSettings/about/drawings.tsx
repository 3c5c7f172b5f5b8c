/** What is noted of a person. */
import { icon } from '../../../ui/icon/icon.tsx'

export const NotesDrawing = icon(
  <>
    <g>
      <rect x="5" y="3.500" width="15" height="17" rx="2.500" />
    </g>
    <path d="M3.500 7.500h3M3.500 12h3M3.500 16.500h3M9 16.500a3.600 3.600 0 0 1 7.200 0" />
    <circle cx="12.600" cy="9.500" r="2.100" />
  </>,
)
