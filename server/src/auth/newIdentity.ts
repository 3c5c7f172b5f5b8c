/** Another name, picture or number; absent: it stays. `''`: no picture, or the number that was given. */
export interface NewIdentity {
  readonly username?: string | undefined
  readonly avatar?: string | undefined
  readonly identify_num?: string | undefined
}
