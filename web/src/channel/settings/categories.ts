import type { Channel, Guild } from '@guildhall/wire/channel/channel.ts'
import { has, permission } from '@guildhall/wire/permission/permission.ts'

/** Whether the viewer may change this channel. */
export const mayManage = ({ permissions }: Pick<Channel, 'permissions'>): boolean =>
  has(permissions, permission.manage_channel)

/** Whether there is something in its page that the viewer may change. */
export const mayOpen = (channel: Pick<Channel, 'permissions'>): boolean =>
  mayManage(channel) || has(channel.permissions, permission.manage_role)

/** Where the viewer may put a channel, and where it is: no category (`outside`), then categories. */
export const categoriesFor = (guild: Guild, outside: string, now = '') => [
  { value: '', name: outside },
  ...guild.channels
    .filter((it) => it.is_category && (mayManage(it) || it.id === now))
    .map(({ id, name }) => ({ value: id as string, name })),
]
