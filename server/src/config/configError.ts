import { OperatorError } from '../kit/operatorError.ts'

/** A variable has an invalid value. The message is one line, names the variable and contains no secret. */
export class ConfigError extends OperatorError {
  override name = 'ConfigError'
}
