/** Password hashes. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { Turns } from '../kit/turns.ts'

const derive = promisify(argon2)

/**
 * A hash takes a processor for some 30 ms: one processor stays free of them, and threads for files and
 * compression.
 */
const HASHES_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1))
const turns = new Turns(HASHES_AT_ONCE)

// The second recommended setting of RFC 9106: 64 MiB would let a few logins at once fill a small machine.
const SETTING = { memory: 19 * 1024, passes: 2, parallelism: 1 }
const TAG_BYTES = 32
const SALT_BYTES = 16
const FORMAT = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/

/** The stored hash of a password: argon2id with its parameters and salt, in the usual `$` notation. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const { memory, passes, parallelism } = SETTING
  const tag = await derive('argon2id', {
    ...SETTING,
    message: message(password),
    nonce: salt,
    tagLength: TAG_BYTES,
  })
  const written = [salt, tag].map((bytes) => bytes.toString('base64url')).join('$')
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${written}`
}

/**
 * True when the password matches. Without a hash it takes as long and returns false. Networks take
 * turns, so that one who guesses delays others by one guess.
 */
export const checkPassword = (password: string, hash: string | null, network: string): Promise<boolean> =>
  turns.run(network, () => isRight(password, hash))

async function isRight(password: string, hash: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt, tag] = FORMAT.exec(hash ?? (await dummy())) ?? []
  if (!salt || !tag) throw new Error('a stored password hash is not readable')
  const wanted = Buffer.from(tag, 'base64url')
  const found = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message: message(password),
    nonce: Buffer.from(salt, 'base64url'),
    tagLength: wanted.length,
  })
  return timingSafeEqual(found, wanted) && hash !== null
}

// The same characters typed on two keyboards can be different code points.
const message = (password: string) => Buffer.from(password.normalize('NFC'))

let dummyHash: Promise<string> | null = null
const dummy = () => {
  dummyHash ??= hashPassword(randomBytes(16).toString('hex'))
  return dummyHash
}
