/** Icons that the console alone has. */
import { icon } from '../ui/icon/icon.tsx'

export const MenuIcon = icon(<path d="M4 7h16M4 12h16M4 17h16" />)
export const HomeIcon = icon(<path d="m4 11 8-7 8 7v9h-5.5v-6h-5v6H4z" />)
export const ChartIcon = icon(<path d="M5 20v-8m7 8V4m7 16v-5" />)
export const WordsIcon = icon(
  <path d="M6 4h13v16H7.5A2.500 2.500 0 0 1 5 17.500V5a1 1 0 0 1 1-1zM9 9h6m-6 4h4" />,
)
