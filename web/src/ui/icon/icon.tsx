import type { ReactNode, SVGProps } from 'react'

/**
 * Line icons on a 24 px grid, drawn in the colour of the text. Always decoration: the text beside it or the
 * label of the button says what it means. What stands in a `<g>` has a tone where it is drawn large, in the
 * middle of an empty state: a drawing is for one screen alone (`scripts/drawings.test.ts`).
 */
export function icon(paths: ReactNode) {
  return function Icon({ size = 24, ...rest }: { size?: number } & Omit<SVGProps<SVGSVGElement>, 'size'>) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
        {...rest}
      >
        {paths}
      </svg>
    )
  }
}

/** Those that the invite page shows: the others are not loaded there. */
export const CloseIcon = icon(<path d="M6 6l12 12M18 6 6 18" />)
export const ChevronIcon = icon(<path d="m8 10 4 4 4-4" />)
