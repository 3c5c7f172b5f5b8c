/** Where uploads are received and stored. */
import path from 'node:path'
import { openAssets } from '../asset/asset.ts'
import type { Config } from '../config.ts'
import type { Stores } from '../demo/seed.ts'
import { highestLevel } from '../guild/guild.ts'
import type { Db } from '../kit/db.ts'
import { openSpool } from '../kit/spool.ts'
import type { SafeFetch } from '../outside/safeFetch.ts'
import { openDisk } from '../outside/storageDisk.ts'
import { openS3 } from '../outside/storageS3.ts'
import { findUser } from '../user/user.ts'

/** `safeFetch` null: pictures of the web are not fetched. */
export function openStores(config: Config, db: Db, safeFetch: SafeFetch | null = null): Stores {
  // The spool is on the disk of the storage, so that storing a file renames it.
  const uploads = path.join(config.dataDir, 'uploads')
  const spool = openSpool(path.join(uploads, 'incoming'))
  const assets = openAssets({
    db,
    spool,
    storage: config.s3 ? openS3(config.s3) : openDisk(uploads),
    safeFetch,
    async reachOf(userId) {
      const [level, user] = await Promise.all([highestLevel(db, userId), findUser(db, userId)])
      return { level, hasBuff: user?.is_vip ?? false }
    },
  })
  return { assets, spool }
}
