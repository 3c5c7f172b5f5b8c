/** The error of a database that cannot be opened. */
import { OperatorError } from '../../operatorError.ts'

/** The database cannot be used. The message is for the operator: what is wrong and what to do. */
export class DatabaseError extends OperatorError {
  override name = 'DatabaseError'
}

/** The embedded database ended by itself while a start was under way. It may be started again. */
export class DatabaseDied extends DatabaseError {
  override name = 'DatabaseDied'
}
