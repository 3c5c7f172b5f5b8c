/** The sections of the console, each with the rights that open it. Its code is loaded when it is opened. */
import { APPROVAL_RIGHTS } from '@guildhall/wire/staff/approvals.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { ReactNode } from 'react'
import { lazy } from '../kit/lazy/lazy.tsx'
import { loadPart } from '../kit/lazy/lazyPart.ts'
import { GuildsIcon, ShieldIcon } from '../ui/icon/channelIcons.tsx'
import type { icon } from '../ui/icon/icon.tsx'
import { ClockIcon, FileIcon, FriendsIcon } from '../ui/icon/icons.tsx'
import { FlagIcon } from '../ui/icon/laterIcons.tsx'
import { BillIcon, GiftIcon, TicketIcon } from '../ui/icon/payIcons.tsx'
import { ChartIcon, WordsIcon } from './staffIcons.tsx'
import type { sectionText } from './text.ts'

export interface Section {
  /** Any of these rights opens it. */
  readonly rights: readonly StaffRight[]
  /** Its name in the texts, and its path below `/staff/`; what follows it belongs to the section. */
  readonly name: Exclude<keyof (typeof sectionText)['zh-CN'], 'start'>
  readonly Icon: ReturnType<typeof icon>
  readonly Part: (props: object) => ReactNode
}

const section = (
  name: Section['name'],
  rights: StaffRight | readonly StaffRight[],
  Icon: Section['Icon'],
  load: () => Promise<{ default: () => ReactNode }>,
): Section => ({
  name,
  Icon,
  rights: typeof rights === 'string' ? [rights] : rights,
  Part: lazy(() => loadPart(load)),
})

export const SECTIONS: readonly Section[] = [
  section('reviews', 'review', ShieldIcon, () => import('./reviews/ReviewsSection.tsx')),
  section('reports', 'report', FlagIcon, () => import('./reports/ReportsSection.tsx')),
  section(
    'approvals',
    Object.values(APPROVAL_RIGHTS),
    ClockIcon,
    () => import('./approvals/ApprovalsSection.tsx'),
  ),
  section('people', 'people', FriendsIcon, () => import('./people/PeopleSection.tsx')),
  section('guilds', 'guild', GuildsIcon, () => import('./guilds/GuildsSection.tsx')),
  section('orders', 'order', BillIcon, () => import('./orders/OrdersSection.tsx')),
  section('codes', 'code', TicketIcon, () => import('./codes/CodesSection.tsx')),
  section('products', 'price', GiftIcon, () => import('./products/ProductsSection.tsx')),
  section('numbers', 'number', ChartIcon, () => import('./numbers/NumbersSection.tsx')),
  section('words', 'word', WordsIcon, () => import('./words/WordsSection.tsx')),
  section('log', 'log', FileIcon, () => import('./log/LogSection.tsx')),
]
