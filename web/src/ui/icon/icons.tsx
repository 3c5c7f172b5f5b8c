import { icon } from './icon.tsx'

export { ChevronIcon, CloseIcon, icon } from './icon.tsx'

export const BackIcon = icon(<path d="m15 5-7 7 7 7" />)
export const ReplyIcon = icon(<path d="m9 7-5 5 5 5M4 12h9a7 7 0 0 1 7 7" />)
export const NextIcon = icon(<path d="m9 6 6 6-6 6" />)
export const DownIcon = icon(<path d="M12 5v14m-6-6 6 6 6-6" />)
export const UpIcon = icon(<path d="M12 19V5m-6 6 6-6 6 6" />)
export const TextChannelIcon = icon(<path d="M9.5 4 7.5 20M16.5 4l-2 16M4.5 9h16M3.5 15h16" />)
export const VoiceIcon = icon(
  <>
    <path d="M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" />
    <path d="M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a7.8 7.8 0 0 1 0 11" />
  </>,
)
export const LockIcon = icon(
  <>
    <rect x="5" y="11" width="14" height="9" rx="2" />
    <path d="M8 11V8a4 4 0 0 1 8 0v3" />
  </>,
)
export const SendIcon = icon(
  <path d="M4.5 12 3.6 5.2a.8.8 0 0 1 1.1-.9L20.6 12 4.7 19.7a.8.8 0 0 1-1.1-.9zm0 0h7" />,
)
export const AlertIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.5m0 3.2v.1" />
  </>,
)
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5.2l3.2 2" />
  </>,
)
export const AttachIcon = icon(<path d="M12 5v14M5 12h14" />)
export const FileIcon = icon(
  <>
    <path d="M13.5 3.5H7A1.5 1.5 0 0 0 5.5 5v14A1.500 1.500 0 0 0 7 20.500h10a1.500 1.500 0 0 0 1.500-1.500V8.500z" />
    <path d="M13.500 3.500v5h5" />
  </>,
)
export const DownloadIcon = icon(<path d="M12 4v11m-5-4.500 5 5 5-5M5 20h14" />)
export const RetryIcon = icon(<path d="M20 11a8 8 0 1 0-2 6.3M20 5v6h-6" />)
export const GuildsIcon = icon(
  <path d="M3.5 10.5 12 4.500l8.5 6M6 12v7m12-7v7M3.5 19.500h17M10 19.500v-4a2 2 0 0 1 4 0v4" />,
)
export const ChatIcon = icon(
  <path d="M12 4c-5 0-8.5 3.2-8.5 7.3 0 2.3 1.1 4.3 2.9 5.600L6 20.500l3.7-1.800c.7.2 1.5.2 2.3.2 5 0 8.5-3.2 8.5-7.600C20.5 7.2 17 4 12 4z" />,
)
export const FriendsIcon = icon(
  <path d="M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 19.500a6.500 6.500 0 0 1 13 0M15.500 4.800a3.500 3.500 0 0 1 0 6.400M17.500 13.500a6.500 6.500 0 0 1 4 6" />,
)
export const ShieldIcon = icon(
  <>
    <path d="M12 3.5 5 6v5.500c0 4.2 2.8 7.4 7 9 4.2-1.6 7-4.8 7-9V6z" />
    <path d="m9 12 2.2 2.200L15.2 10" />
  </>,
)
export const OfflineIcon = icon(
  <path d="M4 4l16 16M3.5 9.500a13 13 0 0 1 4-2.500M11 6a13 13 0 0 1 9.5 3.500M6.5 13a8.5 8.5 0 0 1 4-2.200M14.5 11.200a8.5 8.5 0 0 1 3 1.800M9.5 16.300a4 4 0 0 1 5 0M12 19.500v.1" />,
)
export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="11" height="11" rx="2" />
    <path d="M15.500 8.500V6a1.500 1.500 0 0 0-1.500-1.500H6A1.500 1.500 0 0 0 4.500 6v8A1.500 1.500 0 0 0 6 15.500h2.500" />
  </>,
)
export const EditIcon = icon(
  <path d="M4.500 19.500l1-4.500L16 4.500l3.500 3.500L9 18.500zM13.500 7l3.500 3.500" />,
)
export const PinIcon = icon(<path d="M9 4.500h6l-.8 6 3.300 3.500h-11l3.300-3.500zM12 14v6" />)
export const PlayIcon = icon(<path d="M8 5.500v13l10.500-6.500z" />)
export const CompassIcon = icon(<path d="M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.500 8.500l-2 5-5 2 2-5z" />)
export const MoreIcon = icon(<path d="M6 12h.01M12 12h.01M18 12h.01" />)
export const BellOffIcon = icon(
  <path d="M6 16V11a6 6 0 0 1 1-3.300M9.500 5.500A6 6 0 0 1 18 11v5M4.500 18H18M10 20.500h4M4 4l16 16" />,
)
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />)
