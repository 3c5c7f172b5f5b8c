import { icon } from '../ui/icon/icons.tsx'

/** Icon of the emoji panel and of further reactions. */
export const EmojiIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M8.5 14.200a4.300 4.300 0 0 0 7 0M9 9.500v.1m6-.1v.1" />
  </>,
)
