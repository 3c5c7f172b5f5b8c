/** Uploads: whether this node has the files that the database names, and shares them with the others. */
import { openStorage, whyNotShared } from '../../app/adapters/stores.ts'
import { newestKeys } from '../../asset/asset.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../kit/database/db.ts'
import { bad, type Finding, ok } from './finding.ts'

/** So many of the newest files are looked for. */
const LOOKED_FOR = 20

/** What the configuration says of several nodes. */
export function checkShared(config: Config): Finding[] {
  const why = whyNotShared(config)
  if (why === null) return [ok('files', config.redis === null ? 'this node is alone' : 'nodes share them')]
  return [
    bad(
      'files',
      why,
      'Set UPLOADS_SHARED_DIR or S3_ENDPOINT at every node, and copy uploads of all nodes there: no two have a file of one name.',
    ),
  ]
}

/** Whether the newest files that the database names are here: they may have been uploaded at another node. */
export async function checkUploads(db: Db, config: Config): Promise<Finding[]> {
  const storage = openStorage(config)
  const keys = await newestKeys(db, LOOKED_FOR)
  const missing: string[] = []
  for (const key of keys) {
    const content = await storage.open(key, { first: 0, last: 0 })
    content?.destroy()
    if (!content) missing.push(key)
  }
  if (missing.length === 0) return [ok('files', `the newest ${keys.length} that the database names are here`)]
  return [
    bad(
      'files',
      `${missing.length} of the newest ${keys.length} that the database names are missing here, such as ${missing[0]}.`,
      'See whether every node has the same UPLOADS_SHARED_DIR or bucket and whether it is mounted; else take them from a backup.',
    ),
  ]
}
