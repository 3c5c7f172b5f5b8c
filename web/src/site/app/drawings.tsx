/** The app. */
import { icon } from '../../ui/icon/icon.tsx'

export const NoSuchLinkDrawing = icon(
  <>
    <g>
      <rect x="5.500" y="2.500" width="13" height="19" rx="3" />
    </g>
    <path d="M10.500 18.700h3M9.700 7.700l4.600 4.600m0-4.600-4.600 4.600" />
  </>,
)

export const DownloadDrawing = icon(
  <>
    <g>
      <rect x="5.500" y="2.500" width="13" height="19" rx="3" />
    </g>
    <path d="M10.500 18.700h3M12 6.500v7m-3-3 3 3 3-3" />
  </>,
)
