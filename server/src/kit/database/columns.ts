/** Conversions of int8 columns, which the driver answers as decimal strings, and of counts. */
import type {
  ExpressionBuilder,
  ExpressionWrapper,
  ExtractTypeFromReferenceExpression,
  ReferenceExpression,
  StringReference,
} from 'kysely'

type NumberOf<Value> = number | Extract<Value, null>

/** An int8 column (a time in ms, a size in bytes, an event number) answered as a number; null stays null. */
export const asNumber = <DB, TB extends keyof DB, Column extends StringReference<DB, TB>>(
  eb: ExpressionBuilder<DB, TB>,
  column: Column,
): ExpressionWrapper<DB, TB, NumberOf<ExtractTypeFromReferenceExpression<DB, TB, Column>>> =>
  eb.cast(column as ReferenceExpression<DB, TB>, 'float8')

/** A number as the value to compare an int8 column with. */
export const int8 = (value: number): string => String(value)

/** `count(*)` as a number. */
export const countRows = <DB, TB extends keyof DB>(eb: ExpressionBuilder<DB, TB>) =>
  eb.cast<number>(eb.fn.countAll(), 'int4')
