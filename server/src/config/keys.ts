/** The variables of the keys that seal data. Decision 106. */
import path from 'node:path'
import { decodeKey } from '../kit/crypto/keyFile.ts'
import { ConfigError } from './configError.ts'
import type { Read, VariableName } from './variables.ts'

export interface KeysConfig {
  /** 32 bytes; null: they are in `file`. */
  readonly secret: Buffer | null
  /** The one before; null: none. */
  readonly former: Buffer | null
  /** Beside the data directory, or wherever the operator says, but not in it. */
  readonly file: string
}

/** @throws ConfigError naming the variable */
export function readKeys(read: Read, cwd: string, dataDir: string): KeysConfig {
  const secret = readKey('KEYS_SECRET', read)
  const former = readKey('KEYS_SECRET_OLD', read)
  if (former && !secret)
    throw new ConfigError('KEYS_SECRET_OLD is the key before KEYS_SECRET, which is missing.')
  if (former && secret?.equals(former))
    throw new ConfigError('KEYS_SECRET_OLD and KEYS_SECRET are the same: set KEYS_SECRET to a new key.')
  const given = read('KEYS_FILE')
  const file = given === null ? `${dataDir}.keys` : path.resolve(cwd, given)
  // A copy of the directory would have the embedded database, and what opens it.
  if (!path.relative(dataDir, file).startsWith('..'))
    throw new ConfigError('KEYS_FILE must not be in DATA_DIR: whoever copies the data would have its keys.')
  return { secret, former, file }
}

/** A variable's key; null when it is unset. @throws ConfigError */
export function readKey(name: VariableName, read: Read): Buffer | null {
  const value = read(name)
  if (value === null) return null
  const key = decodeKey(value)
  if (key) return key
  throw new ConfigError(`${name} must be 32 bytes in base64: openssl rand -base64 32`)
}
