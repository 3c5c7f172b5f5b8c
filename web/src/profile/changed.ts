/**
 * The form of a guild's profile as values: what it was, what it is, and what is sent. commerce.md §4 "Profile
 * form".
 */

import type { GuildProfile } from '@guildhall/wire/profile/profile.ts'
import { readWords } from '@guildhall/wire/words.ts'

const FIELDS = ['name', 'icon', 'desc', 'banner'] as const

/** The fields of `draft` that differ from `baseline`. */
export function changed(baseline: GuildProfile, draft: GuildProfile): Partial<GuildProfile> {
  return Object.fromEntries(
    FIELDS.flatMap((field) => (draft[field] === baseline[field] ? [] : [[field, draft[field]]])),
  )
}

export const isDirty = (baseline: GuildProfile, draft: GuildProfile): boolean =>
  Object.keys(changed(baseline, draft)).length > 0

/** Which changed fields are empty and must not be. */
export const emptyFields = (change: Partial<GuildProfile>): ('name' | 'desc')[] =>
  (['name', 'desc'] as const).filter(
    (field) => change[field] !== undefined && readWords(change[field]) === '',
  )
