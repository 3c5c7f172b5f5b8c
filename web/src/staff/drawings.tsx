/** What tables of the console show while they have no rows. */
import { icon } from '../ui/icon/icon.tsx'

export const NoMatchDrawing = icon(
  <>
    <g>
      <circle cx="10.500" cy="10.500" r="7.500" />
    </g>
    <path d="m16 16 5 5M7.500 10.500h6" />
  </>,
)

export const FindGuildDrawing = icon(
  <>
    <g>
      <circle cx="10.500" cy="10.500" r="7.500" />
    </g>
    <path d="m16 16 5 5M6.500 10.800l4-3.300 4 3.300M7.700 10v4h5.600v-4" />
  </>,
)

export const FindPersonDrawing = icon(
  <>
    <g>
      <circle cx="10.500" cy="10.500" r="7.500" />
    </g>
    <path d="m16 16 5 5M7 14.300a3.600 3.600 0 0 1 7 0" />
    <circle cx="10.500" cy="8.700" r="1.800" />
  </>,
)

export const LogDrawing = icon(
  <>
    <g>
      <path d="M6.500 3H19v18H6.500A2.500 2.500 0 0 1 4 18.500v-13A2.500 2.500 0 0 1 6.500 3z" />
    </g>
    <path d="M4 18.500A2.500 2.500 0 0 1 6.500 16H19M8.500 7.200h6.500M8.500 11h4" />
  </>,
)

export const ApprovalsDrawing = icon(
  <>
    <g>
      <path d="M4.500 15.500h15V19h-15z" />
    </g>
    <path d="M9 15.500c0-2.700 1.200-3.500 1.200-5.300a3.600 3.600 0 1 1 3.600 0c0 1.800 1.200 2.600 1.200 5.300M6 21.500h12" />
  </>,
)

export const WordsDrawing = icon(
  <>
    <g>
      <rect x="4" y="3" width="16" height="18" rx="2.500" />
    </g>
    <path d="M8 15.500 12 6l4 9.500M9.300 12.300h5.400M6.500 18.300 17.500 8.500" />
  </>,
)

export const OrdersDrawing = icon(
  <>
    <g>
      <path d="M5 8h14l1.300 12.500H3.700z" />
    </g>
    <path d="M8.500 11V7a3.500 3.500 0 0 1 7 0v4M9.500 15.500h5" />
  </>,
)

/** Orders that need nobody. */
export const AttendedDrawing = icon(
  <>
    <g>
      <path d="M5.500 10.500a6.500 6.500 0 0 1 13 0v5l2 2.500h-17l2-2.500z" />
    </g>
    <path d="M10 21h4m-5-8.700 2.300 2.200 4-4.500" />
  </>,
)

/** Bills that say the same on both sides. */
export const EqualDrawing = icon(
  <>
    <g>
      <path d="M2.500 12.500 5.500 6l3 6.500a3 3 0 0 1-6 0zM15.500 12.500l3-6.500 3 6.500a3 3 0 0 1-6 0z" />
    </g>
    <path d="M12 3v17M5.500 6h13M8 20.500h8" />
  </>,
)

/** Bills of days. */
export const BillsDrawing = icon(
  <>
    <g>
      <rect x="7" y="3" width="13.500" height="15" rx="2.500" />
    </g>
    <path d="M4 7v11.500A2.500 2.500 0 0 0 6.500 21H17M11 7.500h5.500M11 11h5.500M11 14.500h3" />
  </>,
)

/** Payments that fit their orders. */
export const PaymentsDrawing = icon(
  <>
    <g>
      <rect x="2.500" y="5" width="19" height="13" rx="2.500" />
    </g>
    <path d="M2.500 9.500h19m-12.700 4 2.300 2.300 4-4.300" />
  </>,
)

/** Nothing waits for a review. */
export const WaitingDrawing = icon(
  <>
    <g>
      <path d="M7 3.500h10v3.300L13.300 12l3.700 5.200v3.300H7v-3.300l3.700-5.200L7 6.800z" />
    </g>
    <path d="M5 3.500h14M5 20.500h14M9.500 6.800h5" />
  </>,
)

/** What was decided. */
export const DecidedDrawing = icon(
  <>
    <g>
      <path d="m3.500 9.500 5-5 5.500 5.500-5 5z" />
    </g>
    <path d="M2.300 10.700 9.700 3.300M8 16.200 15.200 9M12 12l8 8M12.500 21H3.500" />
  </>,
)

/** What a product cost before. */
export const PricesDrawing = icon(
  <>
    <g>
      <path d="M2.500 12V5A1.500 1.500 0 0 1 4 3.500h6.500l7.300 7.300a1.600 1.600 0 0 1 0 2.300l-5.700 5.700a1.600 1.600 0 0 1-2.300 0z" />
    </g>
    <path d="m15 4 6.300 6.600a2 2 0 0 1 0 2.800l-5.800 5.900M6.500 7.200v.7M8 13l4-4M10 15l4-4" />
  </>,
)

export const ReportsDrawing = icon(
  <>
    <path d="M5 21.500V3.500" />
    <g>
      <path d="M5 4.500c4.500-2.300 8 2.300 14 0v9.500c-6 2.300-9.500-2.300-14 0z" />
    </g>
    <path d="M12 7v2.800m0 2v.1" />
  </>,
)

/** Reports whose time is over. */
export const WithdrawnReportsDrawing = icon(
  <>
    <g strokeDasharray="2.800 2.400">
      <path d="M5 4.500c4.500-2.300 8 2.300 14 0v9.500c-6 2.300-9.500-2.300-14 0z" />
    </g>
    <path d="M5 21.500V3.500" />
  </>,
)

/** Batches of codes. */
export const CodesDrawing = icon(
  <>
    <g>
      <path d="M3 8h18v3a2 2 0 0 0 0 4v3H3v-3a2 2 0 0 0 0-4z" />
    </g>
    <path d="M14.500 8v1.500M14.500 12.200v1.600M14.500 16.500V18M5 5.500h14M7.500 13H11" />
  </>,
)

/** A code that was used. */
export const UsesDrawing = icon(
  <>
    <g>
      <path d="M2.500 7h9v12h-9v-3.800a2.200 2.200 0 0 0 0-4.400z" />
    </g>
    <path d="m14.500 5.500 6.800 1.600-.9 3.700a2.200 2.200 0 0 0-1 4.300l-.9 3.700-6.500-1.500M5.800 11h2.700M5.800 15h2.700" />
  </>,
)
