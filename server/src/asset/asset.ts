/**
 * Assets: files people upload, and pictures fetched from the web; inspected, stored and served. chat.md §3
 * and §5, protocol.md §4.11.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { type AssetKind, type Uploaded, uploadMaxBytes } from '@guildhall/wire/asset/asset.ts'
import { assetKey } from '@guildhall/wire/asset/assetKey.ts'
import { COPY_SIDES, type Dimensions, STILL_SIDE, sizeCode } from '@guildhall/wire/asset/pictureSize.ts'
import { Failure, fail } from '@guildhall/wire/failure.ts'
import type { ChannelId, UserId } from '@guildhall/wire/id.ts'
import { type Bytes, DAY_MS, HOUR_MS } from '@guildhall/wire/unit.ts'
import { AVATAR_MAX_BYTES, AVATAR_MAX_MB } from '@guildhall/wire/user/changedIdentity.ts'
import { withoutOverrides } from '@guildhall/wire/visible.ts'
import { clock } from '../kit/clock.ts'
import type { Db, Tx } from '../kit/database/db.ts'
import { type Disk, refusingWhenFull } from '../kit/files/disk.ts'
import type { Servable } from '../kit/files/file.ts'
import type { FileAddresses } from '../kit/files/fileAddresses.ts'
import type { Received, Spool } from '../kit/files/spool.ts'
import { clean } from '../kit/http/input.ts'
import { ids } from '../kit/ids.ts'
import { consumeAttempt, isUsedUp, type RateLimit, useAttempt } from '../kit/limits/rateLimitDatabase.ts'
import { UNUSED_FILES_KEPT_MS } from '../kit/retention.ts'
import type { Screening, Screens, Verdict } from '../kit/screening.ts'
import { type SafeFetch, type SafeFetchResponse, Unreachable } from '../outside/safeFetch.ts'
import type { Finished, Storage } from '../outside/storage/storage.ts'
import {
  COPY_MIME,
  type Copy,
  copyAskedFor,
  copyKey,
  copyKeys,
  copyPath,
  copyPaths,
  isMoving,
} from './copy.ts'
import { lengthOf } from './duration.ts'
import { type FileType, fileTypeOf, isShown } from './fileType.ts'
import { FETCHED_PICTURE_MAX, FETCHES_PER_PERSON, UPLOADS_PER_PERSON } from './limit.ts'
import { openPainter, type Painter } from './painter.ts'
import type { Painted } from './reencode.ts'
import * as rows from './sql.ts'
import { sidesOf } from './videoSize.ts'

export type { FileAddresses } from '../kit/files/fileAddresses.ts'
export { openFileAddresses, withoutSignatures } from './address.ts'
export { copyKey } from './copy.ts'
export { FETCHED_PICTURE_MAX, FETCHES_PER_PERSON } from './limit.ts'
export type { AssetRow, FoundAsset } from './sql.ts'
export { areDoubtful, clearDoubt, isUsedIn, lockingFiles, newestKeys, storingUses } from './sql.ts'
export {
  dropUnused,
  filesOf,
  type Kept,
  keepEvidence,
  keepFilesFor,
  keepFilesForADay,
  releaseEvidence,
  releaseFiles,
  useFiles,
  useFilesInstead,
  useInPreviews,
} from './use.ts'

/** An upload that is not complete after this time belongs to a killed process, ms. */
const ARRIVAL_MS = 2 * HOUR_MS
const SWEPT_AT_ONCE = 200
const NAME_MAX = 120
const KB = 1024
/** A file stays in caches for this long after it was deleted, s. */
const FILE_CACHED_S = 3_600
/** The picture of an emoji never changes and is in many messages. */
const EMOJI_CACHED_S = 86_400

/** Formats of fetched pictures that every client can show. protocol.md §7.1. */
const FETCHED_FORMATS = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
export const PICTURES_ACCEPTED = 'image/webp,image/png,image/jpeg,image/gif'

/** Whether everybody of its guild may view one of these channels. */
export type IsOneOpen = (channelIds: readonly ChannelId[]) => Promise<boolean>

export interface AssetDeps {
  readonly db: Db
  readonly storage: Storage
  readonly spool: Spool
  /** What limits a person's file size: the highest level among their guilds, and whether they have BUFF. */
  readonly reachOf: (userId: UserId) => Promise<{ readonly level: number; readonly hasBuff: boolean }>
  /** What one person may store within a day, MB. */
  readonly dailyMb: number
  /** Absent: uploads are never refused for lack of room. */
  readonly disk?: Disk
  /** Absent: no signature is valid. */
  readonly addresses?: FileAddresses
  /** Whether everybody of its guild may view one of these channels. Absent: all of them. */
  readonly isOneOpen?: IsOneOpen
  /** Null: no pictures are fetched from the web. */
  readonly safeFetch?: SafeFetch | null
  /** Re-encodes pictures; by default a pool of its own. */
  readonly painter?: Painter
  /** Judges pictures; absent: all pass. */
  readonly screening?: Pick<Screening, 'looksAtPictures' | 'picture'>
}

/** How a fetched picture is stored. */
export interface FetchedPicture {
  /** The public origin of the server. */
  readonly origin: string
  /** The picture is scaled down until neither side is longer, px. */
  readonly side?: number
}

/** Uploads and fetched pictures. */
export interface Assets {
  /**
   * Checks that a person may upload a file now; returns its maximal size, bytes. Counts as an attempt.
   * @throws Failure too_many, asset.daily_limit, asset.no_space
   */
  admit(userId: UserId): Promise<Bytes>
  /**
   * Stores a received file; resolves when it is durable. Pictures are re-encoded. `origin`: the public origin
   * of the server.
   * @throws Failure asset.not_image (`wanted` is `image`, and it is not one; or it ends its decoder),
   *   asset.too_many_pixels, too_many, asset.daily_limit, asset.no_space, content.refused
   */
  store(userId: UserId, file: Received, wanted: string | undefined, origin: string): Promise<Uploaded>
  /**
   * Stores a picture of another noun under a key of its choice, re-encoded and scaled down to `side` px. It
   * exists once
   * `complete` has run in the noun's transaction; otherwise it is deleted later. Null: it is broken, or in
   * none of
   * `formats`.
   * @throws Failure asset.too_many_pixels, too_many, asset.daily_limit, asset.no_space, content.refused
   */
  storePicture(userId: UserId, file: Received, input: PictureWanted): Promise<StoredPicture | null>
  /**
   * Receives the response to a fetch as a file, if it may be a picture; null for another media type.
   * @throws Unreachable
   */
  receive(answer: SafeFetchResponse): Promise<Received | null>
  /**
   * Stores such a picture as this person's own, re-encoded; null when it is not a picture or has too many
   * pixels.
   */
  storeFetched(userId: UserId, file: Received, input: FetchedPicture): Promise<Uploaded | null>
  /**
   * Fetches a picture and stores it as above; null when it is not available, fetching is off, or this
   * person's rate limit is reached.
   */
  fetchPicture(
    userId: UserId,
    address: string,
    input: FetchedPicture & { signal?: AbortSignal },
  ): Promise<Uploaded | null>
  /**
   * The stored file of a key; null when there is none. `side`: the smallest copy of a picture that is as
   * large, px.
   */
  at(key: string, params?: Readonly<Record<string, string>>): Promise<Servable | null>
  /**
   * The stored file of a URL's path and parameters; null when there is none. A file that only private
   * conversations show, and channels that not everybody may view, needs a signature, and so do its copies.
   */
  find(path: string, params?: Readonly<Record<string, string>>): Promise<Servable | null>
  /**
   * Deletes files that nothing has shown for a day; their bytes go with the lost uploads. Returns how many it
   * looked at.
   */
  deleteUnused(): Promise<number>
  /** Deletes stored objects that killed processes left without a row. Returns how many. */
  deleteLostUploads(): Promise<number>
  /** Deletes files on this node's disk that were never received whole. Returns how many. */
  deleteLocalLeftovers(): Promise<number>
  /** Ends the processes that re-encode pictures. */
  close(): void
}

/** How another noun's picture is stored. */
export interface PictureWanted {
  readonly key: string
  /** px */
  readonly side: number
  /** Long sides of its copies, px. */
  readonly copySides: readonly number[]
  /** Allowed formats, as file name extensions. */
  readonly formats: readonly string[]
}

export interface StoredPicture {
  readonly isMoving: boolean
  complete(tx: Tx): Promise<void>
}

/** A picture that an account or a guild shows. */
export interface KeptPicture {
  readonly key: string
  readonly isMoving: boolean
}

/**
 * Keeps a person's own picture that their account shows from now on.
 * @throws Failure asset.unknown (not theirs, or no picture), asset.too_large, content.refused (it needs a
 *   look)
 */
export async function keepAvatar(
  tx: Tx,
  screens: Screens,
  userId: UserId,
  address: string,
): Promise<KeptPicture> {
  const key = assetKey(address)
  const kept = key && (await rows.keepAvatar(tx, key, userId))
  if (!key || !kept) throw fail('asset.unknown')
  refuseDoubt(screens, kept)
  if (kept.size > AVATAR_MAX_BYTES) throw fail('asset.too_large', { mb: AVATAR_MAX_MB })
  return { key, isMoving: isMoving(kept.copies) }
}

/**
 * Keeps a person's own picture that a guild shows from now on, or may show once staff agree.
 * @throws Failure asset.unknown (not theirs, or no picture), content.refused (it needs a look)
 */
export async function keepPicture(
  tx: Tx,
  screens: Screens,
  userId: UserId,
  address: string,
): Promise<KeptPicture & Dimensions & { readonly size: Bytes }> {
  const key = assetKey(address)
  const kept = key && (await rows.keepAvatar(tx, key, userId))
  if (!key || !kept) throw fail('asset.unknown')
  refuseDoubt(screens, kept)
  const { size, width, height, copies } = kept
  return { key, size, width: width ?? 0, height: height ?? 0, isMoving: isMoving(copies) }
}

/** A doubt of a service that is off would never end. @throws Failure content.refused */
function refuseDoubt({ screening }: Screens, { is_doubtful }: { readonly is_doubtful: boolean }): void {
  if (is_doubtful && screening?.looksAtPictures) throw fail('content.refused')
}

/** The picture that an account showed until now goes within a day, unless a message shows it. */
export async function releaseAvatar(tx: Tx, address: string): Promise<void> {
  const key = assetKey(address)
  if (key !== null) await rows.releaseAvatar(tx, key, clock.now() + UNUSED_FILES_KEPT_MS)
}

/** Deletes a stored file: its address is gone once this commits, its bytes with the next clean-up. */
export const discard = (tx: Tx, key: string): Promise<void> => rows.discard(tx, key)

/** A person's files with keys after `after`, in order; emoji belong to their guilds. */
export const uploadsOf = rows.ofPerson

/** Deletes at most `limit` files of a person; those that evidence keeps go with it. Returns how many. */
export async function discardSomeOf(tx: Tx, userId: UserId, limit: number): Promise<number> {
  const files = await rows.unkeptOf(tx, userId, limit)
  for (const key of files) await rows.discard(tx, key)
  return files.length
}

/** Deletes a file by its address or key, and returns whose it was. @throws Failure asset.unknown */
export async function discardAny(
  tx: Tx,
  address: string,
): Promise<{ readonly key: string; readonly userId: UserId }> {
  const key = assetKey(address) ?? assetKey(`/${address}`)
  const row = key === null ? null : await rows.byKey(tx, key)
  if (!row) throw fail('asset.unknown')
  await rows.discard(tx, row.key)
  return { key: row.key, userId: row.user_id }
}

/** Deletes the file of an address, if it is a stored one. One that evidence keeps goes with it. */
export async function discardAt(tx: Tx, address: string): Promise<void> {
  const key = assetKey(address)
  if (key !== null) await rows.discardUnlessKept(tx, key)
}

/** The address of a stored file. */
export const addressOf = (key: string, origin: string): string => `${origin}/${key}`

export function openAssets(deps: AssetDeps): Assets {
  const store = new AssetStore(deps)
  return {
    admit: (userId) => store.admit(userId),
    store: (userId, received, wanted, origin) => store.keep(userId, received, { wanted, origin }),
    receive: (response) => store.receive(response),
    storeFetched: (userId, file, it) => store.storeFetched(userId, file, it),
    fetchPicture: (userId, address, it) => store.fetchPicture(userId, address, it),
    storePicture: (userId, received, it) => store.bring(userId, received, it),
    at: (key, params) => store.at(key, params),
    async find(path, params = {}) {
      const key = assetKey(path)
      return key === null ? null : store.at(key, params)
    },
    deleteUnused: () => rows.discardUnusedBy(deps.db, clock.now(), SWEPT_AT_ONCE),
    deleteLostUploads: () => store.deleteLostUploads(),
    deleteLocalLeftovers: () => deps.spool.sweep(ARRIVAL_MS),
    close: () => store.close(),
  }
}

class AssetStore {
  readonly #deps: AssetDeps
  readonly #painter: Painter

  constructor(deps: AssetDeps) {
    this.#deps = deps
    this.#painter = deps.painter ?? openPainter()
  }

  close(): void {
    this.#painter.close()
  }

  async admit(userId: UserId): Promise<Bytes> {
    const { db, disk, dailyMb } = this.#deps
    await useAttempt(db, UPLOADS_PER_PERSON, userId)
    if (await isUsedUp(db, this.#perDay(), userId)) throw fail('asset.daily_limit', { mb: dailyMb })
    await disk?.requireRoom()
    const { level, hasBuff } = await this.#deps.reachOf(userId)
    return uploadMaxBytes(level, hasBuff)
  }

  /** Counted in KB: a day's bytes are more than the column holds. */
  #perDay(): RateLimit {
    return { name: 'upload KB by person', most: this.#deps.dailyMb * KB, windowMs: DAY_MS }
  }

  /** @throws Failure asset.daily_limit */
  async #spend(userId: UserId, bytes: Bytes): Promise<void> {
    const { db, dailyMb } = this.#deps
    if (!(await consumeAttempt(db, this.#perDay(), userId, Math.ceil(bytes / KB))))
      throw fail('asset.daily_limit', { mb: dailyMb })
  }

  async keep(
    userId: UserId,
    received: Received,
    input: {
      readonly wanted: string | undefined
      readonly origin: string
      readonly side?: number
      readonly isFetched?: boolean
    },
  ): Promise<Uploaded> {
    const { wanted, origin, side } = input
    const { kind, mime, ending, file, made, size, length, painted } = await this.#inspect(
      userId,
      received,
      side,
    )
    try {
      if (wanted === 'image' && kind !== 'image') throw fail('asset.not_image')
      const copies = await copyFilesOf(painted, file)
      const verdict = painted ? await this.#judge(file, copies) : 'pass'
      // What was fetched from the web is shown at once, without a message that could wait.
      if (verdict === 'refuse' || (verdict === 'hold' && input.isFetched)) throw fail('content.refused')
      await this.#spend(userId, bytesInAll(file, copies))
      const name = nameOf(received.name)
      const key = keyOf(kind, size, ending ?? endingOf(name))
      const row: rows.AssetRow = {
        key,
        user_id: userId,
        kind,
        mime,
        name,
        size: file.bytes,
        sha256: file.sha256,
        width: size?.width ?? null,
        height: size?.height ?? null,
        duration_ms: length,
        thumbhash: painted?.thumbhash ?? null,
        copies: copies.map(copyOf),
      }
      await rows.addArrival(this.#deps.db, key, clock.now())
      const stored = { ...file, mime: isShown(kind, mime) ? mime : 'application/octet-stream' }
      await this.#put(key, stored, copies)
      const checkAt = clock.now() + UNUSED_FILES_KEPT_MS
      const isDoubtful = verdict === 'hold'
      if (!(await rows.completeArrival(this.#deps.db, row, clock.now(), checkAt, isDoubtful))) {
        await this.#remove(key)
        throw new Error('a file took too long to store')
      }
      return wireOf(row, origin)
    } finally {
      if (made) await removePainted(made)
    }
  }

  /** The largest file that the review service takes stands for all of a picture. */
  async #judge(file: Received, copies: readonly CopyFile[]): Promise<Verdict> {
    const { screening } = this.#deps
    if (!screening?.looksAtPictures) return 'pass'
    return screening.picture([file, ...copies.map((copy) => copy.file)].sort((a, b) => b.bytes - a.bytes))
  }

  /** A picture's copies are stored before it, so that a picture that is there has them. */
  async #put(key: string, file: Finished, copies: readonly CopyFile[]): Promise<void> {
    const { storage } = this.#deps
    for (const copy of copies)
      await refusingWhenFull(storage.put(copyKey(key, copy.side), { ...copy.file, mime: COPY_MIME }))
    await refusingWhenFull(storage.put(key, file))
  }

  async #remove(key: string): Promise<void> {
    const { storage } = this.#deps
    for (const copy of copyKeys(key)) await storage.remove(copy)
    await storage.remove(key)
  }

  async receive(answer: SafeFetchResponse): Promise<Received | null> {
    if (!/^(?:image\/|application\/octet-stream$|$)/.test(answer.mime)) return null
    const name = decoded(answer.url.pathname.split('/').at(-1) ?? '')
    return this.#deps.spool.receive(answer.body, name, FETCHED_PICTURE_MAX)
  }

  async storeFetched(userId: UserId, file: Received, input: FetchedPicture): Promise<Uploaded | null> {
    try {
      const { kind, mime } = await fileTypeOf(file.path)
      if (kind !== 'image' || !FETCHED_FORMATS.has(mime)) return null
      return await this.keep(userId, file, { wanted: 'image', isFetched: true, ...input })
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    } finally {
      await rm(file.path, { force: true })
    }
  }

  async fetchPicture(
    userId: UserId,
    address: string,
    { signal, ...it }: FetchedPicture & { signal?: AbortSignal },
  ): Promise<Uploaded | null> {
    const { db, safeFetch } = this.#deps
    if (!safeFetch || !(await consumeAttempt(db, FETCHES_PER_PERSON, userId))) return null
    const request = { address, onBehalfOf: userId, accept: PICTURES_ACCEPTED, most: FETCHED_PICTURE_MAX }
    try {
      const file = await safeFetch.fetch({ ...request, ...(signal && { signal }) }, (it) => this.receive(it))
      return file && (await this.storeFetched(userId, file, it))
    } catch (error) {
      if (error instanceof Unreachable) return null
      throw error
    }
  }

  async bring(
    userId: UserId,
    received: Received,
    { key, side, copySides, formats }: PictureWanted,
  ): Promise<StoredPicture | null> {
    const { db, spool } = this.#deps
    const { ending } = await fileTypeOf(received.path)
    if (ending === null || !formats.includes(ending)) return null
    const paintedPath = await spool.newPath()
    try {
      const painted = await this.#painter
        .paint(userId, { from: received.path, to: paintedPath, side, copySides })
        .catch(nullWhenUndecodable)
      if (!painted) {
        await this.#deps.disk?.requireRoom()
        return null
      }
      const { mime, width, height, isMoving } = painted
      const file = await measured(paintedPath, received.name)
      const copies = await copyFilesOf(painted, file)
      // Other nouns show it at once, so that it cannot wait.
      if ((await this.#judge(file, copies)) !== 'pass') throw fail('content.refused')
      await this.#spend(userId, bytesInAll(file, copies))
      const row: rows.AssetRow = {
        key,
        user_id: userId,
        kind: 'image',
        mime,
        name: nameOf(received.name),
        size: file.bytes,
        sha256: file.sha256,
        width,
        height,
        duration_ms: null,
        thumbhash: painted.thumbhash,
        copies: copies.map(copyOf),
      }
      await rows.addArrival(db, key, clock.now())
      await this.#put(key, { ...file, mime }, copies)
      return {
        isMoving,
        async complete(tx) {
          if (!(await rows.completeArrival(tx, row, clock.now(), null)))
            throw new Error('a picture took too long to store')
        },
      }
    } finally {
      await removePainted(paintedPath)
    }
  }

  async at(key: string, params: Readonly<Record<string, string>> = {}): Promise<Servable | null> {
    const read = await readAsset(this.#deps, key, params)
    if (!read) return null
    const { row, isSigned } = read
    const it = {
      cachedForS: key.startsWith('emojis/') ? EMOJI_CACHED_S : FILE_CACHED_S,
      // Whoever comes with a signature has it for themselves, whatever else shows the file.
      isPrivate: isSigned,
      isForAnySite: false,
      name: row.name,
    }
    const copy = copyAskedFor(row.copies, params)
    if (copy)
      return {
        ...it,
        mime: COPY_MIME,
        bytes: copy.bytes,
        tag: copy.sha256,
        isShown: true,
        open: (range) => this.#deps.storage.open(copyKey(row.key, copy.side), range),
      }
    return {
      ...it,
      mime: row.mime,
      bytes: row.size,
      tag: row.sha256,
      isShown: isShown(row.kind, row.mime),
      open: (range) => this.#deps.storage.open(row.key, range),
    }
  }

  async deleteLostUploads(): Promise<number> {
    const { db } = this.#deps
    let deleted = 0
    for (const key of await rows.staleArrivals(db, clock.now() - ARRIVAL_MS, SWEPT_AT_ONCE)) {
      // First the upload can no longer complete, then the object goes, and its record last: a kill in between
      // leaves it.
      if (!(await rows.giveUp(db, key))) continue
      await this.#remove(key)
      await rows.deleteArrival(db, key)
      deleted += 1
    }
    return deleted
  }

  async #inspect(userId: UserId, file: Received, side?: number): Promise<Inspected> {
    const found = await fileTypeOf(file.path)
    if (found.kind !== 'image') {
      const length = await lengthOf(file.path, found.mime)
      const size = await sidesOf(file.path, found.mime)
      return { ...found, file, made: null, size, length, painted: null }
    }
    const paintedPath = await this.#deps.spool.newPath()
    try {
      const painted = await this.#painter.paint(userId, {
        from: file.path,
        to: paintedPath,
        side,
        copySides: [STILL_SIDE, ...COPY_SIDES],
      })
      // A full disk breaks pictures too.
      if (!painted) await this.#deps.disk?.requireRoom()
      // A broken picture is stored unchanged, as a file.
      if (!painted) return { ...broken, file, made: null, size: null, length: null, painted }
      const { width, height, mime, ending } = painted
      return {
        kind: 'image',
        mime,
        ending,
        file: await measured(paintedPath, file.name),
        made: paintedPath,
        size: { width, height },
        length: null,
        painted,
      }
    } catch (error) {
      await removePainted(paintedPath)
      throw error
    }
  }
}

/** A file after inspection: its kind, and what is stored of it. */
interface Inspected extends FileType {
  readonly file: Received
  /** The path of the re-encoded picture; the caller removes it. */
  readonly made: string | null
  /** px */
  readonly size: Dimensions | null
  /** Duration, ms; null when unknown. */
  readonly length: number | null
  /** Null for what is no picture. */
  readonly painted: Painted | null
}

/** A copy of a picture on this machine's disk. */
interface CopyFile {
  readonly side: number
  readonly file: Received
}

const copyFilesOf = (painted: Painted | null, { path, name }: Received): Promise<CopyFile[]> =>
  Promise.all(
    (painted?.copies ?? []).map(async (side) => ({ side, file: await measured(copyPath(path, side), name) })),
  )

const copyOf = ({ side, file: { bytes, sha256 } }: CopyFile): Copy => ({ side, bytes, sha256 })

const bytesInAll = (file: Received, copies: readonly CopyFile[]): Bytes =>
  copies.reduce((sum, copy) => sum + copy.file.bytes, file.bytes)

/** Removes a picture and its copies from the local disk. */
async function removePainted(paintedPath: string): Promise<void> {
  for (const each of [paintedPath, ...copyPaths(paintedPath)]) await rm(each, { force: true })
}

const broken: FileType = { kind: 'file', mime: 'application/octet-stream', ending: null }

/** A picture that ends its decoder is as broken as any other. */
function nullWhenUndecodable(error: unknown): null {
  if (error instanceof Failure && error.failure === 'asset.not_image') return null
  throw error
}

const wireOf = (row: rows.AssetRow, origin: string): Uploaded => ({
  url: addressOf(row.key, origin),
  type: row.kind,
  name: row.name,
  file_type: row.mime,
  size: row.size,
  width: row.width,
  height: row.height,
})

/** A person's own file by its address. @throws Failure asset.unknown, also for another person's file */
export async function ownAsset(db: Db, userId: UserId, address: string): Promise<rows.AssetRow> {
  const key = assetKey(address)
  const row = key === null ? null : await rows.byKey(db, key)
  if (row?.user_id !== userId) throw fail('asset.unknown')
  return row
}

/** The stored files of some addresses, of any owner; unknown addresses are left out. */
export async function findAssets(
  db: Db,
  addresses: readonly string[],
): Promise<Map<string, rows.FoundAsset>> {
  const keys = addresses.flatMap((address) => assetKey(address) ?? [])
  const byKey = new Map((await rows.byKeys(db, keys)).map((row) => [row.key, row]))
  return new Map(
    addresses.flatMap((address) => {
      const row = byKey.get(assetKey(address) ?? '')
      return row ? [[address, row] as const] : []
    }),
  )
}

/**
 * The file of a key, for whoever has its address with these parameters; null when there is none, and when the
 * address does not open it. `isSigned`: its signature did.
 */
export async function readAsset(
  { db, addresses, isOneOpen = async () => true }: Pick<AssetDeps, 'db' | 'addresses' | 'isOneOpen'>,
  key: string,
  params: Readonly<Record<string, string>>,
): Promise<{ readonly row: rows.FoundAsset; readonly isSigned: boolean } | null> {
  const signature = addresses?.signatureIn(key, params)
  const row = await rows.byKey(db, key, signature?.channelId)
  if (!row) return null
  const isSigned = Boolean(signature) && (signature?.channelId === undefined || row.is_there)
  return isSigned || (await isForAll(db, row, isOneOpen)) ? { row, isSigned } : null
}

/**
 * Whether a file's plain address opens it: nothing shows it yet, or it is seen where everybody may look. That
 * is asked when the file is, since channels are opened and closed. Decision 109.
 */
async function isForAll(db: Db, row: rows.FoundAsset, isOneOpen: IsOneOpen): Promise<boolean> {
  if (row.is_open) return true
  for (let ids = row.channels; ids.length > 0; ids = await rows.moreChannels(db, row.key, ids))
    if (await isOneOpen(ids)) return true
  return false
}

async function measured(paintedPath: string, name: string): Promise<Received> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(paintedPath)) hash.update(chunk)
  return { path: paintedPath, name, bytes: (await stat(paintedPath)).size, sha256: hash.digest('hex') }
}

/** The sender's file name made safe to show: no folders, no bidirectional overrides, bounded length. */
function nameOf(given: string): string {
  const last = withoutOverrides(clean(given)).split(/[\\/]/).at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  const name = last.replace(/[\u0000-\u001f\u007f]/g, '').trim()
  if (name.length <= NAME_MAX) return name || 'file'
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, NAME_MAX - ending.length)}${ending}`.toWellFormed()
}

/** A name from an address; unchanged when it is not valid percent-encoding. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const endingOf = (name: string): string | null =>
  /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? null

const RANDOM_BESIDE_SIZE = 10
const RANDOM_ALONE = 16

/** An unguessable key in a folder per day; a picture's ends with its size. protocol.md §4.11. */
function keyOf(kind: AssetKind, size: Dimensions | null, ending: string | null): string {
  const day = new Date(clock.now()).toISOString().slice(0, 10)
  const end = ending ? `.${ending}` : ''
  if (kind === 'image' && size)
    return `assets/${day.slice(0, 7)}/${ids.token().slice(0, RANDOM_BESIDE_SIZE)}${sizeCode(size)}${end}`
  return `attachments/${day.slice(0, 7)}/${day.slice(8)}/${ids.token().slice(0, RANDOM_ALONE)}${end}`
}
