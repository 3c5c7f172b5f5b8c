/** The pictures that new accounts have at the providers by which they logged in. */
import { stillAddress } from '@guildhall/wire/asset/pictureSize.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { type Db, transaction } from '../kit/database/db.ts'
import type { Log } from '../kit/log.ts'
import { setAvatar, setFirstAvatar } from '../user/user.ts'
import { type Assets, keepAvatar } from './asset.ts'

const PICTURE_SIDE = 400

/** Fetches the pictures of new accounts, in the background. */
export function openPictures(input: {
  readonly db: Db
  readonly assets: Pick<Assets, 'fetchPicture'>
  readonly publicUrl: string
  readonly log: Log
}) {
  const underWay = new Set<Promise<void>>()
  const bring = async (userId: UserId, address: string): Promise<void> => {
    const file = await input.assets.fetchPicture(userId, address, {
      origin: input.publicUrl,
      side: PICTURE_SIDE,
    })
    if (!file) return
    await transaction(input.db, async (tx) => {
      if (!(await setFirstAvatar(tx, userId, file.url))) return
      const { isMoving } = await keepAvatar(tx, {}, userId, file.url)
      if (isMoving) await setAvatar(tx, userId, { avatar: stillAddress(file.url), moving: file.url })
    })
  }
  return {
    fetch(userId: UserId, address: string): void {
      const work = bring(userId, address)
        .catch((error: unknown) =>
          input.log.warn({ err: error }, 'the picture of a new account was not fetched'),
        )
        .finally(() => void underWay.delete(work))
      underWay.add(work)
    },
    settled: async (): Promise<void> => void (await Promise.all(underWay)),
  }
}
