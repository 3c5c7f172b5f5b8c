/** What the list of members shows that finds nobody. */
import { icon } from '../ui/icon/icon.tsx'

export const MemberListDrawing = icon(
  <>
    <g>
      <circle cx="12" cy="8" r="3" />
      <path d="M6.500 19.500a5.500 5.500 0 0 1 11 0z" />
    </g>
    <path d="M6 11a2.400 2.400 0 1 1 .9-4.500M2 17.500a4.200 4.200 0 0 1 3.200-4M18 11a2.400 2.400 0 1 0-.9-4.500M22 17.500a4.200 4.200 0 0 0-3.200-4" />
  </>,
)
