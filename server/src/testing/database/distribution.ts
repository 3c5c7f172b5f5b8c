/** What the tables of a database say to the distribution of `kit/database/distribution.ts`. */
import { sql } from 'kysely'
import type { Db } from '../../kit/database/db.ts'
import type { Distributed, Distribution, UniqueKey } from '../../kit/database/distribution.ts'

type List = Readonly<Record<string, Distribution>>

/** A unique key of a distributed table without the column that decides. */
export interface LooseKey {
  readonly table: string
  readonly index: string
  readonly columns: readonly string[]
  /** Undefined: nobody said. */
  readonly why: UniqueKey | undefined
}

export interface ForeignKey {
  readonly table: string
  readonly columns: readonly string[]
  readonly to: string
  readonly toColumns: readonly string[]
}

/** What a list and the tables say to each other. */
export interface Compared {
  /** What the list says and the tables do not, or lacks; a sentence each. */
  readonly faults: readonly string[]
  readonly looseKeys: readonly LooseKey[]
  /** Foreign keys whose two rows may lie on two servers. */
  readonly foreignKeys: readonly ForeignKey[]
  /** Triggers of tables that are on several servers, as `table.trigger`. */
  readonly triggers: readonly string[]
}

export async function compare(db: Db, list: List): Promise<Compared> {
  const columns = await columnsOf(db)
  const keys = await uniqueKeys(db)
  const looseKeys = keys.flatMap(({ table, index, columns }) => {
    const it = list[table]
    if (it === undefined || typeof it === 'string' || columns.includes(it.column ?? '')) return []
    return [{ table, index, columns, why: it.keys[index] }]
  })
  const unlisted = [...columns.keys()].filter((table) => list[table] === undefined)
  return {
    faults: [
      ...unlisted.map((table) => `${table} is not listed`),
      ...Object.entries(list).flatMap(([table, it]) => faultsOf(table, it, columns.get(table), looseKeys)),
    ],
    looseKeys,
    foreignKeys: (await foreignKeys(db)).filter((key) => !isWithinOneServer(list, key)),
    triggers: (await triggers(db)).flatMap(({ table, name }) =>
      list[table] === 'central' ? [] : [`${table}.${name}`],
    ),
  }
}

/** `columns`: of the table, and whether they may be null. */
function faultsOf(
  table: string,
  it: Distribution,
  columns: ReadonlyMap<string, boolean> | undefined,
  looseKeys: readonly LooseKey[],
): string[] {
  if (!columns) return [`there is no table ${table}`]
  if (typeof it === 'string') return []
  const { column, keys } = it
  const loose = looseKeys.filter((key) => key.table === table)
  const faults = [
    ...loose.flatMap(({ index, why }) =>
      why ? [] : [`${index} lacks the column of ${table}, and nobody says why`],
    ),
    ...Object.keys(keys).flatMap((name) =>
      loose.some(({ index }) => index === name)
        ? []
        : [`${name} is no unique key that lacks the column of ${table}`],
    ),
  ]
  if (column === null) return faults
  if (!columns.has(column)) return [...faults, `${table} has no ${column}`]
  return columns.get(column) ? [...faults, `${table}.${column} may be null`] : faults
}

/** Whether a row and the one that it refers to always lie on one server. */
function isWithinOneServer(list: List, { table, columns, to, toColumns }: ForeignKey): boolean {
  const [from, target] = [list[table], list[to]]
  if (target === 'reference') return true
  if (from === undefined || target === undefined || from === 'reference') return false
  if (from === 'central' || target === 'central') return from === target
  return (
    from.group === target.group &&
    columns.some((name, at) => decides(from, name) && decides(target, toColumns[at]))
  )
}

const decides = ({ column }: Distributed, name: string | undefined): boolean =>
  column !== null && name === column

/** The columns of each table, and whether they may be null. */
async function columnsOf(db: Db): Promise<Map<string, Map<string, boolean>>> {
  const all = await db.introspection.getTables()
  return new Map(
    all
      .filter(({ schema }) => schema === 'public')
      .map(({ name, columns }) => [name, new Map(columns.map((it) => [it.name, it.isNullable]))]),
  )
}

/** Columns of a key, as an array of their names, in its order; of an expression, the expression. */
const uniqueKeys = async (db: Db) =>
  (
    await sql<{ table: string; index: string; columns: string[] }>`
      select rel.relname as table, idx.relname as index,
        array(select pg_get_indexdef(it.indexrelid, n, true) from generate_series(1, it.indnkeyatts) n) as columns
      from pg_index it join pg_class rel on rel.oid = it.indrelid join pg_class idx on idx.oid = it.indexrelid
      where it.indisunique and rel.relnamespace = 'public'::regnamespace
      order by 1, 2`.execute(db)
  ).rows

const foreignKeys = async (db: Db) =>
  (
    await sql<ForeignKey>`
      select rel.relname as table, target.relname as to,
        array(select attname::text from unnest(conkey) with ordinality as it(n, place)
          join pg_attribute on attrelid = conrelid and attnum = n order by place) as columns,
        array(select attname::text from unnest(confkey) with ordinality as it(n, place)
          join pg_attribute on attrelid = confrelid and attnum = n order by place) as "toColumns"
      from pg_constraint it join pg_class rel on rel.oid = conrelid join pg_class target on target.oid = confrelid
      where contype = 'f' and rel.relnamespace = 'public'::regnamespace
      order by 1, 2, 3`.execute(db)
  ).rows

const triggers = async (db: Db) =>
  (
    await sql<{ table: string; name: string }>`
      select rel.relname as table, tgname as name
      from pg_trigger join pg_class rel on rel.oid = tgrelid
      where not tgisinternal and rel.relnamespace = 'public'::regnamespace
      order by 1, 2`.execute(db)
  ).rows
