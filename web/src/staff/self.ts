import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { StaffSelf } from '@guildhall/wire/staff/session.ts'
import { createContext, use } from 'react'

/** Who is logged in to the console. */
export const Self = createContext<StaffSelf | null>(null)

/** Whether who is logged in may do something; what they may not do is not offered. */
export function useMay(): (right: StaffRight) => boolean {
  const self = use(Self)
  return (right) => self?.rights.includes(right) ?? false
}
