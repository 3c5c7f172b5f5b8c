/** Who checks real names, and the key that seals them. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Config } from '../../config.ts'
import { readKeyFile } from '../../kit/crypto/keyFile.ts'
import { openLocalRealName } from '../../outside/realName/local.ts'
import { openTencentRealName } from '../../outside/realName/tencent.ts'
import type { RealNames } from '../../realname/realname.ts'

const KEY_FILE = 'keys/real-name.key'

/** The service and key of the configuration. The key is read, or made, when it is needed first. */
export function openRealNames({ realName, dataDir }: Pick<Config, 'realName' | 'dataDir'>): RealNames {
  const { tencent, endpoint, isLocal, key } = realName
  const local = { secretId: 'local', secretKey: randomBytes(16).toString('hex') }
  let kept: Promise<Buffer> | null = key && Promise.resolve(key)
  return {
    service: tencent
      ? openTencentRealName(tencent, endpoint)
      : isLocal
        ? openTencentRealName(local, null, openLocalRealName(local))
        : null,
    key() {
      kept ??= readKeyFile(path.join(dataDir, KEY_FILE)).catch((error: unknown) => {
        kept = null
        throw error
      })
      return kept
    },
  }
}
