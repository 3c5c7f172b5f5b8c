/**
 * Something the person who runs Guildhall has to put right: a variable, a port, a disk. Its message is one sentence
 * that says what is wrong and what to do, and is shown without a stack.
 */
export class OperatorError extends Error {
  override name = 'OperatorError'
}
