/** Multipart forms with one file, received onto the disk. */
import { rm } from 'node:fs/promises'
import { type Failure, fail } from '@guildhall/wire/failure.ts'
import type { FastifyRequest } from 'fastify'
import type { Received, Spool } from '../files/spool.ts'
import type { Binding } from './binding.ts'
import { REQUEST_TIMEOUT_MS } from './inFlight.ts'

/** What a form adds to its file at most, bytes: boundaries, names, other fields. */
const FORM_OVERHEAD_BYTES = 16 * 1024
const FORM_FIELDS_MAX = 16
const FIELD_MAX_BYTES = 1_024

const fileTooLarge = (maxBytes: number): Failure =>
  fail('asset.too_large', { mb: Math.floor(maxBytes / 1024 / 1024) })

/**
 * Reads a form to its end and stores its file in the spool. A Content-Length above the limit is refused
 * before the body is read.
 * @throws Failure asset.missing, bad_input (the form is broken), and asset.too_large (detail.mb) or the
 *   binding's own refusal
 */
export async function readForm(
  request: FastifyRequest,
  { route, tooLarge = fileTooLarge }: Binding,
  spool: Spool | undefined,
  maxBytes: number,
): Promise<{ fields: Record<string, unknown>; file: Received | null }> {
  if (!spool) throw new Error(`${route.path} takes files and the server has no spool`)
  if (Number(request.headers['content-length']) > maxBytes + FORM_OVERHEAD_BYTES) throw tooLarge(maxBytes)
  if (!request.isMultipart()) throw fail('asset.missing')

  const { raw } = request
  raw.setTimeout(REQUEST_TIMEOUT_MS, () => raw.destroy())
  const fields: Record<string, unknown> = {}
  let file: Received | null = null
  try {
    const limits = {
      fileSize: maxBytes + 1,
      files: 1,
      fields: FORM_FIELDS_MAX,
      parts: FORM_FIELDS_MAX + 1,
      fieldSize: FIELD_MAX_BYTES,
    }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (part.fieldname !== route.form || file) part.file.resume()
      else {
        file = await spool.receive(part.file, nameOf(part.filename), maxBytes)
        if (!file) throw tooLarge(maxBytes)
      }
    }
    return { fields, file }
  } catch (error) {
    if (file) await rm(file.path, { force: true })
    // The client closed the connection: it gets no answer, and the error is not the server's.
    throw (raw.destroyed && !raw.complete) || isOfParser(error) ? fail('bad_input') : error
  } finally {
    raw.setTimeout(0)
    // The rest of a refused body is discarded as it arrives.
    raw.resume()
  }
}

/**
 * Browsers write a quotation mark of a name as `%22` into a form. A `%22` that was in the name cannot be told
 * from it.
 */
const nameOf = (sent: string | undefined): string => (sent ?? '').replaceAll('%22', '"')

/**
 * The multipart parser's errors about a body are plain ones without a code; those of the disk have one, bugs
 * have a class.
 */
const isOfParser = (error: unknown): boolean =>
  error instanceof Error && error.constructor === Error && !('code' in error)
