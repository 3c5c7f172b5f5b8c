/**
 * An error that the operator has to fix: a variable, a port, a disk. Its message is one sentence
 * with the cause and the remedy, and is shown without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
