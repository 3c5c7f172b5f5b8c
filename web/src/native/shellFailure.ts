/**
 * `unsupported`: the shell does not have the call; `timeout`: no answer in time; `refused`: the shell
 * answered with an error;
 * `bad_answer`: the answer does not fit the contract; `bad_data`: what the page wanted to send does not;
 * `unreachable`: the shell took no message.
 */
export type ShellFailureName =
  | 'unsupported'
  | 'timeout'
  | 'refused'
  | 'bad_answer'
  | 'bad_data'
  | 'unreachable'

/**
 * A call of the shell that failed. `message`: the shell's words for the person, for `refused`; `reason`: the
 * shell's own name for it;
 * `answered`: the beginning of a wrong answer, which no report of an error has.
 */
export class ShellFailure extends Error {
  declare readonly name: ShellFailureName
  declare readonly reason: string
  declare readonly answered: string

  constructor(name: ShellFailureName, message = '', reason = '', answered = '') {
    super(message)
    this.name = name
    this.reason = reason
    this.answered = answered
  }
}
