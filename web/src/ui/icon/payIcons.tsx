/**
 * Icons of what is bought and of how it is paid. Apart from the others: the first screens do not load them.
 */

import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { ReactNode } from 'react'
import { icon } from './icon.tsx'

export const BillIcon = icon(
  <path d="M6 3.500h12v17l-2.400-1.600-1.800 1.600-1.800-1.600-1.800 1.600-1.800-1.600L6 20.500zM9 8.500h6M9 12.500h6" />,
)
export const CrownIcon = icon(<path d="M4 8.500 8.200 12 12 6l3.800 6L20 8.500 18.200 18H5.800z" />)

const SIGNS: Readonly<Record<PayWay, ReactNode>> = {
  wechat: (
    <>
      <rect width="28" height="28" rx="8" fill="#07b75a" />
      <path
        fill="#fff"
        d="M11.600 6.500c-4 0-7.200 2.600-7.200 5.900 0 1.800 1 3.500 2.700 4.600l-.6 2.100 2.500-1.200c.8.200 1.700.4 2.600.4h.5a5 5 0 0 1-.2-1.400c0-3.100 3-5.500 6.600-5.500h.3c-.6-2.800-3.600-4.900-7.200-4.900z"
      />
      <path
        fill="#fff"
        d="M24 16.900c0-2.600-2.500-4.700-5.600-4.700s-5.600 2.100-5.600 4.700 2.500 4.700 5.600 4.700c.7 0 1.400-.1 2-.3l1.900 1-.5-1.700c1.300-.9 2.200-2.200 2.200-3.700z"
      />
      <g fill="#07b75a">
        <circle cx="9.300" cy="11" r=".95" />
        <circle cx="14" cy="11" r=".95" />
        <circle cx="16.600" cy="15.900" r=".8" />
        <circle cx="20.300" cy="15.900" r=".8" />
      </g>
    </>
  ),
  alipay: (
    <>
      <rect width="28" height="28" rx="8" fill="#1677ff" />
      <path
        d="M7.500 9.300h13M14 6v6.600M8.600 12.600h10.200c-1 4.700-5.200 8.200-11 8.900M9.500 15c2.200 1 6.200 2.700 11.600 6"
        fill="none"
        stroke="#fff"
        strokeWidth="1.900"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
}

/** The sign of a way to pay, in its own colours. Decoration: its name stands beside it. */
export function WayIcon({ way, size = 28 }: { way: PayWay; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
      {SIGNS[way]}
    </svg>
  )
}
export const TicketIcon = icon(
  <path d="M4 7.500h16v3a1.800 1.800 0 0 0 0 3.600v3H4v-3a1.800 1.800 0 0 0 0-3.600zM14 7.500v1.800M14 12v.6M14 15.300v1.800" />,
)
export const RocketIcon = icon(
  <path d="M12 3.500c3.500 2.200 4.800 6 4.300 10l2.200 2.500v3.500l-4-2h-5l-4 2V16l2.200-2.500c-.500-4 .800-7.800 4.300-10zM12 9.500v.01" />,
)
export const GiftIcon = icon(
  <path d="M4.500 11.500h15v8h-15zM3.500 8h17v3.500h-17zM12 8v11.500M12 8S9.500 3.500 7.300 5 9 8 12 8zm0 0s2.500-4.500 4.700-3S15 8 12 8z" />,
)
export const MinusIcon = icon(<path d="M5 12h14" />)
export const ShareIcon = icon(
  <path d="M3.500 4.500h17v11.500h-17zM8.500 20h7M12 16v4M12 13V7.500m-2.500 2.500L12 7.500l2.500 2.500" />,
)
export const ClarityIcon = icon(
  <path d="M4 8V5.500A1.500 1.500 0 0 1 5.500 4H8M16 4h2.500A1.500 1.500 0 0 1 20 5.500V8M20 16v2.500a1.500 1.500 0 0 1-1.500 1.500H16M8 20H5.500A1.500 1.500 0 0 1 4 18.500V16M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z" />,
)
export const MotionIcon = icon(
  <path d="M9 6.500v11l9-5.500zM3.500 8.500h2.500M2.500 12h3.500M3.500 15.500h2.500" />,
)
export const SpeedIcon = icon(<path d="M13 3 5.500 13.500H11L10 21l8-11h-5.500z" />)
export const UploadIcon = icon(<path d="M12 16V4.500m-4.500 4L12 4l4.500 4.500M5 15.500V20h14v-4.500" />)
export const FaceIcon = icon(
  <path d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.500 20c.500-4 3.500-6 7.500-6s7 2 7.500 6M18.500 3v3M17 4.500h3" />,
)
export const EmojiIcon = icon(
  <path d="M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zM9 9.800h.01M15 9.800h.01M8.300 14c1.800 2.600 5.600 2.600 7.400 0" />,
)
export const NumberIcon = icon(
  <path d="M4 5.500h16v13H4zM10.500 9 9 15M15 9l-1.500 6M8 11h8.500M7.500 13.500H16" />,
)
export const RenewIcon = icon(
  <path d="M19.500 8.500A8 8 0 0 0 5 8M4.500 15.500A8 8 0 0 0 19 16M19.500 4v4.500H15M4.500 20v-4.500H9" />,
)
export const AppleIcon = icon(
  <path d="M12 8c1.500-1 3-1.500 4.500-1.200 1.300.2 2.200.9 2.800 1.700-2.600 1.600-2.300 5.300.6 6.400-.9 2.500-2.600 5-4.400 5-1.300 0-1.900-.8-3.500-.8s-2.200.8-3.500.8C6 19.900 3.700 15.300 4 11.800 4.200 9 6 6.900 8.200 6.800 9.800 6.700 10.800 7.500 12 8zm0 0c0-2.300 1.300-4.300 3.200-5" />,
)
