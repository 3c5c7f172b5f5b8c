/** Database with a row, or some, for each day of Beijing: a column `day` as `YYYY-MM-DD`. */
import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { Tables } from './tables.ts'

type DayTable = {
  [Name in keyof Tables]: Tables[Name] extends { day: unknown } ? Name : never
}[keyof Tables]

/** Rows that are deleted by one statement. */
const TRIM_ROWS = 5_000

/** Deletes some rows of days before one. How many: 0 when none are left. */
export async function deleteDaysBefore(db: Db, table: DayTable, day: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select ctid from ${sql.table(table)} where day < ${day} limit ${TRIM_ROWS}))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
