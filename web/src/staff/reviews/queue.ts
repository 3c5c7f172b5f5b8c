import { listReviews, type Review } from '@guildhall/wire/staff/reviews.ts'
import { type StaffPages, useStaffPages } from '../parts/useStaffPages.ts'

/** The cases that wait, the oldest first. */
export const useQueue = (): StaffPages<Review> =>
  useStaffPages(listReviews, { state: 'waiting' }, ({ id }) => ({ after: Number(id) }))

export const casePath = ({ kind, id }: Pick<Review, 'kind' | 'id'>): string => `/staff/reviews/${kind}/${id}`

/** The fields of a guild's face, in the order in which they are compared. */
export const FACE_FIELDS = ['name', 'desc', 'icon', 'banner'] as const

/** Those that a case changes; all when it is not known how the guild looked. */
export const changedIn = ({ before, after }: Review) =>
  FACE_FIELDS.filter((field) => !before || before[field] !== after[field])
