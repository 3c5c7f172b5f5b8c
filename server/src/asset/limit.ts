/**
 * How often somebody may upload and have pictures fetched. Sizes that people are told about are in `wire`.
 */
import { type Bytes, MINUTE_MS } from '@guildhall/wire/unit.ts'
import type { RateLimit } from '../kit/limits/rateLimit.ts'

export const UPLOADS_PER_PERSON: RateLimit = { name: 'upload by person', most: 60, windowMs: MINUTE_MS }
/** Addresses fetched for one person, for cards and previews together. */
export const FETCHES_PER_PERSON: RateLimit = { name: 'fetch by person', most: 120, windowMs: MINUTE_MS }
/** Maximal size of a fetched picture, bytes. */
export const FETCHED_PICTURE_MAX: Bytes = 10 * 1024 * 1024
/** The most pixels of a picture, all frames of a moving one together. */
export const PIXELS_MAX = 25_000_000
