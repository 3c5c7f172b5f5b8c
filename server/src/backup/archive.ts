/**
 * The file of a backup: a tar archive, compressed with Zstandard and, with a passphrase, encrypted as age
 * does (`age --decrypt FILE | zstd -d | tar -t` lists it). Written and read as a stream, so that its size
 * does not matter.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { extract, type Header, type Pack, pack } from 'tar-stream'
import { OperatorError } from '../kit/operatorError.ts'

/** The first bytes of a file that age encrypted. */
const ENCRYPTED = 'age-encryption.org/v1'
/** The owner alone may read a backup: it holds everything. */
const MODE = 0o600

/** Adds entries to an archive, one after the other. */
export class ArchiveWriter {
  readonly #pack: Pack

  constructor(tar: Pack) {
    this.#pack = tar
  }

  async add(name: string, content: Buffer | string): Promise<void> {
    const bytes = Buffer.from(content)
    await pipeline(Readable.from([bytes]), this.#entry({ name, size: bytes.length }))
  }

  /** `bytes`: the size of the content, which must be exact. */
  async addStream(name: string, bytes: number, content: Readable): Promise<void> {
    await pipeline(content, this.#entry({ name, size: bytes }))
  }

  #entry(header: Partial<Header> & { name: string; size: number }): Writable {
    return this.#pack.entry({ ...header, mode: MODE, mtime: new Date(0) }) as unknown as Writable
  }
}

/** An entry of an archive; its content must be read to the end before the next one. */
export interface ArchiveEntry {
  readonly name: string
  readonly bytes: number
  readonly content: Readable
}

/** Writes an archive to `file`, which appears when it is complete and durable. */
export async function writeArchive(
  file: string,
  passphrase: string | null,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const partial = `${file}.partial`
  try {
    const tar = pack()
    const written = pipeline(
      tar as unknown as AsyncIterable<Buffer>,
      createZstdCompress(COMPRESSION),
      encryption(passphrase),
      createWriteStream(partial, { mode: MODE, flush: true }),
    )
    const filled = fill(new ArchiveWriter(tar)).then(
      () => tar.finalize(),
      (error: Error) => {
        tar.destroy(error)
        throw error
      },
    )
    // A full disk must end the reading too, which would wait for it otherwise.
    written.catch((error: Error) => tar.destroy(error))
    await Promise.all([filled, written])
    await rename(partial, file)
    await syncDirectory(path.dirname(file))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/**
 * Reads an archive entry by entry.
 * @throws OperatorError when the file is missing, damaged or encrypted with another passphrase
 */
export async function* readArchive(file: string, passphrase: string | null): AsyncGenerator<ArchiveEntry> {
  const entries = extract()
  const read = pipeline(
    await decrypted(file, passphrase),
    createZstdDecompress(),
    entries as unknown as Writable,
  )
  read.catch((error: Error) => entries.destroy(error))
  try {
    for await (const entry of entries) {
      const { name, size = 0 } = entry.header
      yield { name, bytes: size, content: entry as unknown as Readable }
      entry.resume()
    }
    await read
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw isDamage(error) ? damaged(file, error) : error
  }
}

const COMPRESSION = {
  params: {
    [constants.ZSTD_c_compressionLevel]: 3,
    [constants.ZSTD_c_checksumFlag]: 1,
  },
}

/** A stage of a pipeline; without a passphrase it passes on what comes. */
function encryption(passphrase: string | null) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
    if (passphrase === null) return yield* content
    const encrypter = new Encrypter()
    encrypter.setPassphrase(passphrase)
    yield* fromWeb(await encrypter.encrypt(toWeb(Readable.from(content))))
  }
}

async function decrypted(file: string, passphrase: string | null): Promise<Readable> {
  const isEncrypted = (await firstBytes(file, ENCRYPTED.length)) === ENCRYPTED
  if (isEncrypted && passphrase === null)
    throw new OperatorError(`${file} is encrypted: name the file of its passphrase with --passphrase-file.`)
  const content = createReadStream(file)
  if (!isEncrypted || passphrase === null) return content
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  const opened = await decrypter.decrypt(toWeb(content)).catch((error: unknown) => {
    content.destroy()
    throw new OperatorError(`${file} cannot be decrypted with this passphrase.`, { cause: error })
  })
  return fromWeb(opened)
}

async function firstBytes(file: string, count: number): Promise<string> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(`${file} cannot be read: ${error.code}.`, { cause: error })
  })
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead).toString('latin1')
  } finally {
    await handle.close()
  }
}

export const damaged = (file: string, cause?: unknown): OperatorError =>
  new OperatorError(`${file} is not a whole backup of Guildhall.`, { cause })

/**
 * Errors of the formats: the archive ends early, or its bytes were changed. Others, such as a full disk, stay
 * what they are.
 */
function isDamage(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  return !/^E[A-Z]+$/.test(code) || code === 'EOF'
}

const toWeb = (content: Readable) => Readable.toWeb(content) as unknown as ReadableStream<Uint8Array>
const fromWeb = (content: ReadableStream<Uint8Array>) => Readable.fromWeb(content as unknown as WebStream)

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}
