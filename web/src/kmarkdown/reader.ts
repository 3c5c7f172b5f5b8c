/** The reader: mentions of oneself are highlighted. */
export interface Reader {
  readonly id: string
  readonly roles: readonly number[]
}
