import type { UserId } from '@guildhall/wire/id.ts'

/** Whom the acts are about. */
export interface Target {
  readonly id: UserId
  readonly name: string
  /** As it is now; empty: the username is shown. */
  readonly nickname: string
  readonly roles: readonly number[]
  readonly isMaster: boolean
}
