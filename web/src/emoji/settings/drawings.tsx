/** A sticker that is not stuck on yet. */
import { icon } from '../../ui/icon/icon.tsx'

export const EmojiDrawing = icon(
  <>
    <g>
      <path d="M13.500 3.500H7A3.500 3.500 0 0 0 3.500 7v10A3.500 3.500 0 0 0 7 20.500h10a3.500 3.500 0 0 0 3.500-3.500v-6.500z" />
    </g>
    <path d="M13.500 3.500V8a2.500 2.500 0 0 0 2.500 2.500h4.500M7.300 14.500a4.600 4.600 0 0 0 7.700 0M8.500 9.800v1.500M12.200 9.800v1.500" />
  </>,
)
