/** What the audit log says of channels. */
import type { AuditType } from '@guildhall/wire/audit/audit.ts'
import type { ChannelId, GuildId, UserId } from '@guildhall/wire/id.ts'
import { type AuditActor, type AuditTarget, differing, memberTarget, writeAudit } from '../audit/audit.ts'
import type { Tx } from '../kit/database/db.ts'
import type { GuildAccess } from '../role/role.ts'
import { roleTarget } from '../role/role.ts'
import * as rows from './sql.ts'

export const channelTarget = ({ id, name }: Pick<rows.ChannelRow, 'id' | 'name'>): AuditTarget => ({
  kind: 'channel',
  id,
  name,
})

export const auditCreated = (
  tx: Tx,
  by: AuditActor,
  made: { readonly guildId: GuildId; readonly id: ChannelId; readonly name: string; readonly type: number },
): Promise<void> =>
  writeAudit(tx, {
    guildId: made.guildId,
    by,
    type: 'channel_created',
    target: channelTarget(made),
    after: { type: made.type },
  })

/** What follows from a move, and not from what somebody chose. */
const FOLLOWS = new Set(['permission_sync', 'level'])

/** A change of the fields of a channel; one of its position alone is a move. Categories are said by name. */
export async function auditChanged(
  tx: Tx,
  by: AuditActor,
  channel: rows.ChannelRow,
  fields: Parameters<typeof rows.change>[2],
): Promise<void> {
  const isMove = Object.keys(fields).every((name) => name === 'parent_id' || FOLLOWS.has(name))
  const moves = 'parent_id' in fields
  const said = Object.fromEntries(
    Object.entries(fields).filter(([name]) => !(moves && FOLLOWS.has(name)) && name !== 'parent_id'),
  )
  const named = async (id: ChannelId | null) => (id && (await rows.byId(tx, id))?.name) ?? ''
  const [from, to] = moves
    ? [await named(channel.parent_id), await named(fields.parent_id ?? null)]
    : ['', '']
  const changed = differing({ ...channel, parent: from }, { ...said, ...(moves && { parent: to }) })
  if (!changed) return
  const type = isMove ? 'channel_moved' : 'channel_updated'
  await writeAudit(tx, { guildId: channel.guild_id, by, type, target: channelTarget(channel), ...changed })
}

type Masks = { readonly allow: number; readonly deny: number }

/**
 * An overwrite of a channel, written on the role or the member that it is for. Null: there was none, or is
 * none now.
 */
export function auditOverwrite(
  tx: Tx,
  by: UserId,
  input: {
    readonly channel: rows.ChannelRow
    readonly inside: GuildAccess
    readonly target: { readonly role_id: number } | { readonly user_id: UserId }
    readonly before: Masks | null
    readonly after: Masks | null
  },
): Promise<void> {
  const { channel, target, before, after } = input
  const type: AuditType = !before ? 'overwrite_created' : !after ? 'overwrite_deleted' : 'overwrite_updated'
  const of = (masks: Masks) => ({
    channel_id: channel.id,
    channel: channel.name,
    allow: masks.allow,
    deny: masks.deny,
  })
  return writeAudit(tx, {
    guildId: channel.guild_id,
    by,
    type,
    target:
      'role_id' in target
        ? roleTarget(input.inside.roles.find(({ role_id }) => role_id === target.role_id)!)
        : memberTarget(target.user_id),
    ...(before && { before: of(before) }),
    ...(after && { after: of(after) }),
  })
}
