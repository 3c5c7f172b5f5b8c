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
export const ChatIcon = icon(
  <path d="M12 4c-5 0-8.5 3.2-8.5 7.3 0 2.3 1.1 4.3 2.9 5.600L6 20.500l3.7-1.800c.7.2 1.5.2 2.3.2 5 0 8.5-3.2 8.5-7.600C20.5 7.2 17 4 12 4z" />,
)
export const FriendsIcon = icon(
  <path d="M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 19.500a6.500 6.500 0 0 1 13 0M15.500 4.800a3.500 3.500 0 0 1 0 6.400M17.500 13.500a6.500 6.500 0 0 1 4 6" />,
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
export const PinIcon = icon(<path d="M9 4.500h6l-.8 6 3.300 3.500h-11l3.300-3.500zM12 14v6" />)
export const PlayIcon = icon(<path d="M8 5.500v13l10.500-6.500z" />)
export const MoreIcon = icon(<path d="M6 12h.01M12 12h.01M18 12h.01" />)
