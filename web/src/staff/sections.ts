/** The sections of the console, each with the rights that open it. Its code is loaded when it is opened. */
import { APPROVAL_RIGHTS } from '@guildhall/wire/staff/approvals.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import { type ComponentType, lazy } from 'react'
import { loadPart } from '../kit/lazyPart.ts'
import type { sectionText } from './text.ts'

export interface Section {
  /** Its path below `/staff/`; what follows it belongs to the section. */
  readonly path: string
  /** Any of these rights opens it. */
  readonly rights: readonly StaffRight[]
  /** Its name in the texts of the console. */
  readonly name: keyof (typeof sectionText)['zh-CN']
  readonly Part: ComponentType
}

const section = (
  path: string,
  rights: StaffRight | readonly StaffRight[],
  name: Section['name'],
  load: () => Promise<{ default: ComponentType }>,
): Section => ({
  path,
  name,
  rights: typeof rights === 'string' ? [rights] : rights,
  Part: lazy(() => loadPart(load)),
})

export const SECTIONS: readonly Section[] = [
  section('reviews', 'review', 'reviews', () => import('./reviews/ReviewsSection.tsx')),
  section('reports', 'report', 'reports', () => import('./reports/ReportsSection.tsx')),
  section(
    'approvals',
    Object.values(APPROVAL_RIGHTS),
    'approvals',
    () => import('./approvals/ApprovalsSection.tsx'),
  ),
  section('people', 'people', 'people', () => import('./people/PeopleSection.tsx')),
  section('guilds', 'guild', 'guilds', () => import('./guilds/GuildsSection.tsx')),
  section('orders', 'order', 'orders', () => import('./orders/OrdersSection.tsx')),
  section('codes', 'code', 'codes', () => import('./codes/CodesSection.tsx')),
  section('products', 'price', 'products', () => import('./products/ProductsSection.tsx')),
  section('numbers', 'number', 'numbers', () => import('./numbers/NumbersSection.tsx')),
  section('words', 'word', 'words', () => import('./words/WordsSection.tsx')),
  section('log', 'log', 'log', () => import('./LogSection.tsx')),
]
