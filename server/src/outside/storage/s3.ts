/** Storage in an S3-compatible bucket. */
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { AwsClient } from 'aws4fetch'
import type { S3 } from '../../config.ts'
import { isKey, type Storage } from './storage.ts'

/** Retries after a refusal or an error of the store. */
const RETRIES = 3
/** How long the store may take to answer, ms: a file is transferred in less, or the sender tries again. */
const ANSWER_MS = 120 * SECOND_MS

/**
 * Keeps files in a bucket. Requests are signed (version 4) over the content's SHA-256, so the store proves
 * each put.
 */
export function openS3(input: S3): Storage {
  const client = new AwsClient({
    accessKeyId: input.accessKeyId,
    secretAccessKey: input.secretAccessKey,
    region: input.region,
    service: 's3',
    retries: RETRIES,
  })
  const isInHost = input.endpoint.includes('{bucket}')
  const root = `${input.endpoint.replace('{bucket}', input.bucket).replace(/\/+$/, '')}${isInHost ? '' : `/${input.bucket}`}`

  async function ask(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    if (!isKey(key)) throw new Error('this is no key of a stored file')
    // The limit is for the start of the answer: the reader decides how fast its body is read.
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), ANSWER_MS)
    try {
      return await client.fetch(`${root}/${key}`, { ...init, method, signal: limit.signal })
    } finally {
      clearTimeout(timer)
    }
  }
  async function refused(method: string, answer: Response): Promise<Error> {
    const text = await answer.text().catch(() => '')
    const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
    return new Error(`the S3 store answers ${method} with ${answer.status} ${code}`.trim())
  }

  return {
    async put(key, file) {
      const answer = await ask('PUT', key, {
        // Streamed from the disk, and again for each retry.
        body: await openAsBlob(file.path, { type: file.mime }),
        headers: { 'content-type': file.mime, 'x-amz-content-sha256': file.sha256 },
      })
      if (!answer.ok) throw await refused('PUT', answer)
      await answer.arrayBuffer()
      await rm(file.path, { force: true })
    },
    async open(key, range) {
      if (!isKey(key)) return null
      // Compressed bytes would differ from the stored ones. With a range, fetch sets this header itself.
      const headers: Record<string, string> = range
        ? { range: `bytes=${range.first}-${range.last}` }
        : { 'accept-encoding': 'identity' }
      const answer = await ask('GET', key, { headers })
      if (answer.status === 404) {
        await answer.arrayBuffer()
        return null
      }
      if (!answer.ok) throw await refused('GET', answer)
      return answer.body ? Readable.fromWeb(answer.body as ReadableStream<Uint8Array>) : Readable.from([])
    },
    async remove(key) {
      const answer = await ask('DELETE', key)
      if (!answer.ok && answer.status !== 404) throw await refused('DELETE', answer)
      await answer.arrayBuffer()
    },
  }
}
