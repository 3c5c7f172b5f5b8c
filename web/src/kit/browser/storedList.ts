import { readStored, type Stored } from './storage.ts'

type ListKey = { [K in keyof Stored]: Stored[K] extends readonly string[] ? K : never }[keyof Stored]

/** A stored list; empty where none is stored, or something else that would break whoever searches it. */
export function storedList(key: ListKey): readonly string[] {
  const value: unknown = readStored(key)
  return Array.isArray(value) ? value : []
}
