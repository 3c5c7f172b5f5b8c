/** Storage in an S3-compatible bucket. */
import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { SECOND_MS } from '@guildhall/wire/unit.ts'
import { AwsClient } from 'aws4fetch'
import type { S3 } from '../config.ts'
import { isKey, type Storage } from './storage.ts'

/** A store that refuses or stumbles is asked so often again. */
const RETRIES = 3
/** One that says nothing for so long is not waited for: a stored file travels in less, or the sender tries again. */
const ANSWER_MS = 120 * SECOND_MS

/** Keeps files in a bucket. Requests are signed (version 4) over the content's SHA-256, so the store proves each put. */
export function openS3(it: S3): Storage {
  const client = new AwsClient({
    accessKeyId: it.accessKeyId,
    secretAccessKey: it.secretAccessKey,
    region: it.region,
    service: 's3',
    retries: RETRIES,
  })
  const isInHost = it.endpoint.includes('{bucket}')
  const root = `${it.endpoint.replace('{bucket}', it.bucket).replace(/\/+$/, '')}${isInHost ? '' : `/${it.bucket}`}`

  async function ask(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    if (!isKey(key)) throw new Error('this is no key of a stored file')
    // The limit is for the store's answer: how fast what it answers is read is up to the person who reads.
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), ANSWER_MS)
    try {
      return await client.fetch(`${root}/${key}`, { ...init, method, signal: limit.signal })
    } finally {
      clearTimeout(timer)
    }
  }
  async function refused(method: string, answer: Response): Promise<Error> {
    const words = await answer.text().catch(() => '')
    const code = /<Code>(\w+)<\/Code>/.exec(words)?.[1] ?? ''
    return new Error(`the S3 store answers ${method} with ${answer.status} ${code}`.trim())
  }

  return {
    async put(key, file) {
      const answer = await ask('PUT', key, {
        // Read from the disk while it travels, and again when it has to be sent again.
        body: await openAsBlob(file.path, { type: file.mime }),
        headers: { 'content-type': file.mime, 'x-amz-content-sha256': file.sha256 },
      })
      if (!answer.ok) throw await refused('PUT', answer)
      await answer.arrayBuffer()
      await rm(file.path, { force: true })
    },
    async open(key, range) {
      if (!isKey(key)) return null
      // Packed bytes would not be those that were asked for. With a range, fetch sees to that itself.
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
