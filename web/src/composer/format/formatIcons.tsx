import { icon } from '../../ui/icon/icons.tsx'
import { LinkIcon } from '../../ui/icon/laterIcons.tsx'
import type { Mark } from './marks.ts'

export const EyeIcon = icon(
  <>
    <path d="M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z" />
    <circle cx="12" cy="12" r="3" />
  </>,
)

export const UploadIcon = icon(<path d="M12 16V4.500m-4.500 4L12 4l4.500 4.500M5 15.500V19h14v-3.500" />)

/** The signs of the formats. */
export const MARK_ICONS: Readonly<Record<Mark, ReturnType<typeof icon>>> = {
  bold: icon(
    <path d="M7.500 5h5.500a3.500 3.500 0 0 1 0 7H7.500zM7.500 12h6.500a3.500 3.500 0 0 1 0 7H7.500z" />,
  ),
  italic: icon(<path d="M10.500 5h7M6.500 19h7M14 5l-4 14" />),
  strike: icon(
    <path d="M4.500 12h15M16.500 8c-.5-2-2.200-3-4.500-3-2.700 0-4.500 1.300-4.500 3.300 0 1.600 1 2.800 3 3.700M7.500 16c.5 2 2.200 3 4.500 3 2.700 0 4.500-1.300 4.500-3.300 0-1.600-1-2.800-3-3.700" />,
  ),
  spoiler: icon(
    <path d="m4 4 16 16M9.500 5.900A9 9 0 0 1 12 5.500c6 0 9.500 6.500 9.500 6.500a16 16 0 0 1-3 3.700M6 7.500A16 16 0 0 0 2.500 12S6 18.500 12 18.500a9 9 0 0 0 4.500-1.200" />,
  ),
  link: LinkIcon,
  quote: icon(<path d="M5 5v14M9.500 7.500H20M9.500 12H20M9.500 16.500h7" />),
  code: icon(<path d="m8.500 7-5 5 5 5m7-10 5 5-5 5" />),
}
