import { readState, type ThirdPartyName } from '@guildhall/wire/auth/thirdPartyNames.ts'

/** Where accounts are linked: what begins there comes back there. */
export const LINKED = '/account/linked'

/** What a third party's answer says in the address. */
export interface ThirdPartyAnswer {
  readonly provider: ThirdPartyName
  readonly state: string
  /** Empty: the person cancelled. */
  readonly code: string
  /** The provider reports an error; its `code` is one, too. */
  readonly isError: boolean
}

/** What the page of linked accounts has of an answer, for as long as its history entry stands. */
export interface Returned {
  /** It waits for the proof of the owner; null: there is none, or none that can be used. */
  readonly answer: ThirdPartyAnswer | null
  /** Why it cannot be used; empty: it can. */
  readonly problem: string
  /** The problem is none where this is linked. */
  readonly unlessLinked: ThirdPartyName | undefined
  /** Drops the answer. `problem`: what the page says in its place; empty: nothing. */
  readonly clear: (problem: string, unlessLinked?: ThirdPartyName) => void
}

/** The answer of a third party in an address; null when there is none. chat.md §4 "Third-party login". */
export function readReturn(search: string): ThirdPartyAnswer | null {
  const params = new URLSearchParams(search)
  const state = params.get('state') ?? ''
  const read = readState(state)
  if (!read) return null
  return {
    provider: read.provider,
    state,
    code: params.get('code') ?? '',
    isError: params.has('msg') || params.has('error'),
  }
}
