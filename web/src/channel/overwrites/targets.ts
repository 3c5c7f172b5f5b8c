import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { isAbove, mayActOn } from '../../role/role.ts'
import type { Target } from './rules.ts'

const roleOf = (guild: Guild, id: number) => guild.roles.find(({ role_id }) => role_id === id)

/** How a role or a person is called. */
export const nameOf = (guild: Guild, target: Target): string =>
  'role' in target
    ? (roleOf(guild, target.role)?.name ?? String(target.role))
    : target.user.nickname || target.user.username

/** Whether one may give a role or a person overwrites: those that stand below one, and everybody. */
export function mayChange(guild: Guild, target: Target): boolean {
  if ('role' in target) {
    const role = roleOf(guild, target.role)
    return role !== undefined && !isAbove(guild, role)
  }
  return mayActOn(guild, { is_master: target.user.id === guild.user_id, roles: target.user.roles })
}
