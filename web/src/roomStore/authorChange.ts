/** A member has another nickname or other roles (`as`), or left or joined anew (null); or a role was deleted. */
export type AuthorChange =
  | {
      readonly type: 'authorChanged'
      readonly userId: string
      readonly as: { readonly nickname: string; readonly roles: readonly number[] } | null
    }
  | { readonly type: 'roleDeleted'; readonly roleId: number }
