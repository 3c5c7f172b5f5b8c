/** The sign of a search. */
import { icon } from './icon.tsx'

export const SearchIcon = icon(
  <path d="M10.500 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zm4.800-1.700 5.200 5.200" />,
)
