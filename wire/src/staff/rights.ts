/**
 * What a staff account may be allowed to do. Accounts hold none until an operator gives them a role or a
 * right.
 *
 * `review`: decide on changes of guilds and on held content. `report`: see and close reports. `word`: change
 * the list of refused words.
 * `people`: look people up, suspend, sign out and delete accounts. `gift`: give and take BUFF. `guild`: look
 * guilds up, change their owner, recommend, close and restore them. `content`: delete messages and files,
 * remove members, revoke invites. `order`: look orders up.
 * `refund`: give money back. `code`: redeem codes. `price`: products and prices. `number`: the numbers of the
 * house. `log`: read the staff log. `errors`: read the errors of pages.
 */
export const STAFF_RIGHTS = [
  'review',
  'report',
  'word',
  'people',
  'gift',
  'guild',
  'content',
  'order',
  'refund',
  'code',
  'price',
  'number',
  'log',
  'errors',
] as const
export type StaffRight = (typeof STAFF_RIGHTS)[number]
