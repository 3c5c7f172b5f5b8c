import type { Author } from '@guildhall/wire/user/shown.ts'

/** How a member is called and looks. */
type Identity = Pick<Author, 'username' | 'identify_num' | 'avatar' | 'vip_avatar' | 'nickname'> & {
  readonly is_vip?: boolean | undefined
}

/**
 * A member has another nickname or other roles (`as`), or left or joined anew (null), another name or
 * picture; or a role was deleted.
 */
export type AuthorChange =
  | {
      readonly type: 'authorChanged'
      readonly userId: string
      readonly as: { readonly nickname: string; readonly roles: readonly number[] } | null
    }
  | { readonly type: 'faceChanged'; readonly userId: string; readonly identity: Identity }
  | { readonly type: 'roleDeleted'; readonly roleId: number }
