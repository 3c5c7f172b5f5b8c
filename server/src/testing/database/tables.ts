import type { Db } from '../../kit/database/db.ts'

/** Columns whose type is narrower than the database's: ids of one kind are not ids of another. */
const COLUMN_TYPES: Readonly<Record<string, string>> = {
  'user.id': 'UserId',
  'guild.id': 'GuildId',
  'channel.id': 'ChannelId',
  'message.id': 'MessageId',
  'private_message.id': 'MessageId',
  user_id: 'UserId',
  author_id: 'UserId',
  low_id: 'UserId',
  high_id: 'UserId',
  receiver_id: 'UserId',
  owner_id: 'UserId',
  guild_id: 'GuildId',
  channel_id: 'ChannelId',
  parent_id: 'ChannelId',
  default_channel_id: 'ChannelId',
  welcome_channel_id: 'ChannelId',
  message_id: 'MessageId',
  'chat_side.target_id': 'UserId',
  'quiet_message.id': 'MessageId',
  'quiet_message.target_id': 'UserId',
  'message.kind': 'MessageKind',
  'private_message.kind': 'MessageKind',
  'asset.kind': 'AssetKind',
  'channel.type': '0 | 1 | 2',
  'user.staff_rights': 'StaffRight[]',
}
/** What the driver returns for a type of PostgreSQL. */
const TYPES: Readonly<Record<string, string>> = {
  int2: 'number',
  int4: 'number',
  int8: 'Int8',
  text: 'string',
  uuid: 'string',
  bool: 'boolean',
  bytea: 'Buffer',
  jsonb: 'Json',
  timestamptz: 'Timestamp',
  _text: 'string[]',
  _int4: 'number[]',
  _int8: 'Int8[]',
  _bytea: 'Buffer[]',
}
const HEADER = `/**
 * Every table of the database and its columns, made by \`node scripts/tables.ts\`; do not edit it by hand.
 * The columns of a table are sorted by name; a \`Generated\` one may be left out of an insert.
 */
import type { AssetKind } from '@guildhall/wire/asset/asset.ts'
import type { ChannelId, GuildId, MessageId, UserId } from '@guildhall/wire/id.ts'
import type { MessageKind } from '@guildhall/wire/message/kind.ts'
import type { StaffRight } from '@guildhall/wire/staff/rights.ts'
import type { ColumnType } from 'kysely'

/** May be left out of an insert. */
export type Generated<T> =
  T extends ColumnType<infer Select, infer Insert, infer Update>
    ? ColumnType<Select, Insert | undefined, Update>
    : ColumnType<T, T | undefined, T>
/** Read as a decimal string (kit/database/columns.ts converts), written as a number too. */
export type Int8 = ColumnType<string, string | number, string | number>
/** Read as the value it holds, written as JSON text. */
export type Json = ColumnType<unknown, string, string>
export type Timestamp = ColumnType<Date, Date | string, Date | string>
`

/** The TypeScript of every table: an interface of its columns each, and `Tables` with all of them. */
export async function tableTypes(db: Db): Promise<string> {
  const all = await db.introspection.getTables()
  const tables = all
    .filter(({ schema }) => schema === 'public')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((table) => ({
      name: table.name,
      columns: table.columns
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, dataType, isNullable, hasDefaultValue }) => {
          const type = COLUMN_TYPES[`${table.name}.${name}`] ?? COLUMN_TYPES[name] ?? TYPES[dataType]
          if (!type) throw new Error(`No type is known for ${dataType} of ${table.name}.${name}`)
          const withNull = isNullable ? `${type} | null` : type
          return `  ${name}: ${hasDefaultValue ? `Generated<${withNull}>` : withNull}\n`
        }),
    }))
  const rows = tables.map(
    ({ name, columns }) => `export interface ${rowName(name)} {\n${columns.join('')}}\n`,
  )
  const list = tables.map(({ name }) => `  ${name}: ${rowName(name)}\n`)
  return `${HEADER}\n${rows.join('\n')}\nexport interface Tables {\n${list.join('')}}\n`
}

/** `guild_counter` → `GuildCounterTable`. */
const rowName = (table: string): string =>
  `${table.replace(/(?:^|_)(\w)/g, (_whole, letter: string) => letter.toUpperCase())}Table`
