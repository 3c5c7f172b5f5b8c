import { icon } from './icon.tsx'

export const SearchIcon = icon(
  <path d="M11 18.500a7.500 7.500 0 1 0 0-15 7.500 7.500 0 0 0 0 15zm5.500-2 4 4" />,
)
