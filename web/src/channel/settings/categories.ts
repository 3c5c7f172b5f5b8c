import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'

/** Whether the viewer may change this channel. */
export const mayManage = ({ permissions }: Pick<Channel, 'permissions'>): boolean =>
  has(permissions, permission.manage_channel)

/** Where the viewer may put a channel, and where it is: no category (`outside`), then categories. */
export const categoriesFor = (guild: Guild, outside: string, now = '') => [
  { value: '', name: outside },
  ...guild.channels
    .filter((it) => it.is_category && (mayManage(it) || it.id === now))
    .map(({ id, name }) => ({ value: id as string, name })),
]
