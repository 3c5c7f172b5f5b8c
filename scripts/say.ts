/**
 * What a start says: plain lines for a person, and lines of JSON as the server's log has them where
 * NODE_ENV is production. It knows the variable alone, because a configuration that is refused is told of
 * as well.
 */
import { type Log, openLog } from '../server/src/kit/log.ts'
import { OperatorError } from '../server/src/kit/operatorError.ts'

let opened: Log | null = null
const jsonLog = (): Log | null => {
  if (process.env.NODE_ENV?.trim() !== 'production') return null
  opened ??= openLog('json')
  return opened
}

/** A line of what happens. */
export function say(line: string): void {
  const log = jsonLog()
  if (!log) console.log(line)
  else if (line.trim()) log.info(line)
}

/** Says a line to a person alone: who reads a log has no use for it. */
export function sayToPerson(line: string): void {
  if (!jsonLog()) console.log(line)
}

/**
 * What went wrong, on the error stream: the sentence of an error that is meant for the operator, all else
 * with its stack.
 */
export function complain(error: unknown): void {
  const log = jsonLog() && openLog('json', process.stderr)
  const sentence = error instanceof OperatorError ? error.message : error
  if (!log) console.error(sentence)
  else if (typeof sentence === 'string') log.error(sentence)
  else log.error({ err: error }, 'the server ended')
}

/** From now on warnings of Node, and an error that nobody caught, are lines of JSON too. */
export function sayAllInJson(): void {
  const log = jsonLog()
  if (!log) return
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught')
    process.exit(1)
  })
}
