/** Runs the programs of PostgreSQL. */
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { DatabaseError } from './databaseError.ts'
import { ACCOUNT, type Installation, WINDOWS } from './installation.ts'
import { withName } from './nameless.ts'

/**
 * Runs one of PostgreSQL's programs until it ends. Signals of the terminal do not reach it; `signal` ends it.
 */
export async function run(
  installation: Installation,
  program: string,
  args: string[],
  input: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted()
  const [file, all] = withName(path.join(installation.binaries, 'bin', program), args)
  const child = spawn(file, all, {
    ...installation.account,
    cwd: installation.account ? '/' : installation.root,
    env: programEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: !WINDOWS,
  })
  const abandon = () => killGroup(child)
  signal.addEventListener('abort', abandon)
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  child.stderr.on('data', (chunk) => {
    output += chunk
  })
  // A program that ends without reading its input reports it by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => signal.removeEventListener('abort', abandon))
  signal.throwIfAborted()
  if (code !== 0) throw startError(output, installation)
}

export function killGroup(child: ChildProcess): void {
  try {
    if (WINDOWS || child.pid === undefined) child.kill()
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It ended on its own in the meantime.
  }
}

// Without the PG* and LC_* variables of this process, which PostgreSQL's programs would read.
export function programEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C', TZ: 'UTC' }
}

/** The error for the operator in one sentence, made from PostgreSQL's output. */
export function startError(output: string, installation: Installation): DatabaseError {
  if (/No space left on device/i.test(output))
    return new DatabaseError(`The disk that holds ${installation.root} is full; make room and start again.`)
  if (/Permission denied|Operation not permitted/i.test(output))
    return new DatabaseError(
      `PostgreSQL may not use its files in ${installation.root}: ${lastComplaint(output)}. They must belong to ${installation.account ? `the account "${ACCOUNT}"` : 'whoever starts the server'}.`,
    )
  return new DatabaseError(
    `PostgreSQL did not start: ${lastComplaint(output)} (${path.join(installation.root, 'postgres.log')})`,
  )
}

function lastComplaint(output: string): string {
  const lines = output.trim().split('\n')
  const complaint = lines.findLast((line) => /FATAL|PANIC|error:/.test(line)) ?? lines.at(-1) ?? ''
  return complaint.replace(/^.*?(FATAL|PANIC|error):\s*/, '') || 'it gave no reason'
}

/** A file system error as one sentence for the operator; any other error as it is. */
export function operatorErrorOf(error: unknown, dataDir: string): Error {
  const { code, path: file = dataDir } = error as NodeJS.ErrnoException
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DatabaseError(`The disk that holds ${file} is full; make room and start again.`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new DatabaseError(
      `${file} cannot be written; give it to whoever starts the server, or set DATA_DIR to another directory.`,
    )
  if (code === 'ENOENT')
    return new DatabaseError(`${file} cannot be made there; set DATA_DIR to another directory.`)
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new DatabaseError(`${file} is not a directory; set DATA_DIR to another one.`)
  return error as Error
}
