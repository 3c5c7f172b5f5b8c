/** Where uploads are received and stored. */
import path from 'node:path'
import { type FileAddresses, openAssets, openFileAddresses } from '../../asset/asset.ts'
import { isOneOpen } from '../../channel/channel.ts'
import type { Config } from '../../config.ts'
import type { Stores } from '../../demo/seed.ts'
import { highestLevel } from '../../guild/guild.ts'
import type { Db } from '../../kit/database/db.ts'
import { operatorErrorOf } from '../../kit/database/postgres/program.ts'
import { makePrivateDirectory } from '../../kit/files/directory.ts'
import { type Disk, openDiskOf } from '../../kit/files/disk.ts'
import { openSpool } from '../../kit/files/spool.ts'
import type { Screening } from '../../kit/screening.ts'
import type { SafeFetch } from '../../outside/safeFetch.ts'
import { openDisk } from '../../outside/storage/disk.ts'
import { openS3 } from '../../outside/storage/s3.ts'
import type { Storage } from '../../outside/storage/storage.ts'
import { findUser, hasBuff } from '../../user/user.ts'

const MB = 1024 * 1024

export interface UploadStores extends Stores {
  readonly disk: Disk
  readonly addresses: FileAddresses
}

/** Where uploads are stored on this machine, and where they are received. */
export const uploadsDirectory = ({
  dataDir,
  uploadsSharedDir,
}: Pick<Config, 'dataDir' | 'uploadsSharedDir'>): string => uploadsSharedDir ?? path.join(dataDir, 'uploads')

/** Why a file that is uploaded at one of several nodes would be missing at the others; null: it would not. */
export const whyNotShared = (config: Pick<Config, 'redis' | 's3' | 'uploadsSharedDir'>): string | null =>
  config.redis === null || config.s3 || config.uploadsSharedDir !== null
    ? null
    : 'REDIS_URL makes this one of several nodes, and its uploads are its own: a file that is uploaded here is missing at the others. Set S3_ENDPOINT, or UPLOADS_SHARED_DIR to a directory that all nodes share.'

/** The storage of uploads: the bucket when one is configured, else the directory. */
export const openStorage = (config: Pick<Config, 'dataDir' | 'uploadsSharedDir' | 's3'>): Storage =>
  config.s3 ? openS3(config.s3) : openDisk(uploadsDirectory(config))

/**
 * Opens the directory of uploads, which no other account of the machine may enter. `safeFetch` null: pictures
 * of the web are not fetched.
 * @throws OperatorError with one sentence, when the directory cannot be made
 */
export async function openStores(
  config: Config,
  db: Db,
  safeFetch: SafeFetch | null = null,
  screening?: Screening,
): Promise<UploadStores> {
  // The spool is on the disk of the storage, so that storing a file renames it.
  const uploads = uploadsDirectory(config)
  await makePrivateDirectory(uploads).catch((error: unknown) => {
    throw operatorErrorOf(error, uploads)
  })
  const disk = openDiskOf(uploads, config.diskReserveMb * MB)
  const addresses = await openFileAddresses(db, config.publicUrl)
  const spool = openSpool(path.join(uploads, 'incoming'), disk)
  const assets = openAssets({
    db,
    spool,
    storage: openStorage(config),
    dailyMb: config.uploadDailyMb,
    disk,
    addresses,
    isOneOpen: (channelIds) => isOneOpen(db, channelIds),
    safeFetch,
    ...(screening && { screening }),
    async reachOf(userId) {
      const [level, user] = await Promise.all([highestLevel(db, userId), findUser(db, userId)])
      return { level, hasBuff: user !== null && hasBuff(user) }
    },
  })
  return { assets, spool, disk, addresses }
}
