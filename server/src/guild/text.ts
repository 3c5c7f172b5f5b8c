/** What the role that everybody has is called in a new guild. protocol.md §1.7. */
export const everyoneName = '@全体成员'
