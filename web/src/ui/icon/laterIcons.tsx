/** Icons of pages and parts that no first screen needs. */
import { icon } from './icon.tsx'

export const ForwardIcon = icon(<path d="m15 7 5 5-5 5M20 12h-9a7 7 0 0 0-7 7" />)

export const CheckIcon = icon(<path d="m5 12.5 4.5 4.5L19 7.5" />)

export const TrashIcon = icon(<path d="M5 7h14M10 7V4.5h4V7m-7.5 0 .8 12.5h9.4L17.5 7" />)

export const LinkIcon = icon(
  <path d="M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1-1" />,
)

export const UserIcon = icon(
  <>
    <circle cx="12" cy="8.5" r="4" />
    <path d="M4.5 20a7.5 7.5 0 0 1 15 0" />
  </>,
)

export const PhoneIcon = icon(
  <>
    <rect x="7" y="3" width="10" height="18" rx="2" />
    <path d="M11 17.500h2" />
  </>,
)

export const ScreenIcon = icon(
  <>
    <rect x="3" y="5" width="18" height="12" rx="2" />
    <path d="M9 20.500h6" />
  </>,
)

export const MoonIcon = icon(<path d="M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500z" />)

export const GlobeIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M3.5 12h17M12 3.500c2.3 2.4 3.4 5.2 3.4 8.500s-1.1 6.1-3.4 8.500c-2.3-2.4-3.4-5.2-3.4-8.500s1.1-6.1 3.4-8.500z" />
  </>,
)

export const LeaveIcon = icon(
  <path d="M10 4.500H6a1.5 1.5 0 0 0-1.5 1.500v12A1.5 1.5 0 0 0 6 19.500h4M15 8l4 4-4 4m4-4H9.5" />,
)

export const MusicIcon = icon(
  <path d="M9 17.500V6l10-2v11.500M9 17.500a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0zm10-2a2.500 2.500 0 1 1-5 0 2.500 2.500 0 0 1 5 0z" />,
)

export const BellIcon = icon(<path d="M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4" />)

export const FlagIcon = icon(<path d="M6 21V4.5c4-2 7 2 12 0v9c-5 2-8-2-12 0" />)

/** Settings: sliders. */
export const SlidersIcon = icon(
  <>
    <path d="M4 8h8M18 8h2M4 16h2M12 16h8" />
    <circle cx="15" cy="8" r="2.5" />
    <circle cx="9" cy="16" r="2.5" />
  </>,
)

export const RetryIcon = icon(<path d="M20 11a8 8 0 1 0-2 6.3M20 5v6h-6" />)

/** The handle of a row that is put in order. */
export const GripIcon = icon(<path d="M5 8.500h14M5 15.500h14" />)

export const StepUpIcon = icon(<path d="m6 14 6-6 6 6" />)

export const StepDownIcon = icon(<path d="m6 10 6 6 6-6" />)

export const SelectIcon = icon(
  <path d="M8 5h8M12 5v14M8 19h8M4 8.500V6M4 18v-2.500M20 8.500V6M20 18v-2.500" />,
)
