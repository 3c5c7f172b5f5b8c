/** What the server has of uploads: their calls and files, and what deletes lost and unused ones. */
import type { UserId } from '@guildhall/wire/id.ts'
import { HOUR_MS } from '@guildhall/wire/unit.ts'
import type { Disk } from '../kit/files/disk.ts'
import { fileEndpoints } from '../kit/http/endpoints.ts'
import { EVERY_TEN_MINUTES, type Module, type ModuleContext, untilNone } from '../kit/module.ts'
import type { Assets } from './asset.ts'
import { openPictures } from './firstPicture.ts'
import { assetRoutes } from './routes.ts'

/** `fetchFirstPicture` brings the picture of a new account, in the background. */
export function assetModule(
  { appContext: { db, publicUrl }, log, metrics }: ModuleContext,
  { assets, disk }: { readonly assets: Assets; readonly disk: Disk },
): Module & { readonly fetchFirstPicture: (userId: UserId, address: string) => void } {
  const pictures = openPictures({ db, assets, publicUrl, log })
  metrics.disk.watch(() => disk.space())
  return {
    fetchFirstPicture: pictures.fetch,
    routes: assetRoutes(assets),
    endpoints: fileEndpoints(['/assets/:month/:name', '/attachments/:month/:day/:name'], (path, params) =>
      assets.find(path, params),
    ),
    schedules: [
      {
        name: 'delete-lost-uploads',
        cron: EVERY_TEN_MINUTES,
        // A killed process leaves no uploads for long.
        atStart: true,
        run: (signal) => untilNone(() => assets.deleteLostUploads(), signal),
      },
      {
        name: 'delete-unused-files',
        cron: EVERY_TEN_MINUTES,
        run: (signal) => untilNone(() => assets.deleteUnused(), signal),
      },
    ],
    // Half-received files lie on the disk of the node that received them, so every node deletes its own.
    start() {
      const sweep = () =>
        assets
          .deleteLocalLeftovers()
          .catch((error: unknown) => log.warn({ err: error }, 'half-received files were not deleted'))
      void sweep()
      const timer = setInterval(sweep, HOUR_MS).unref()
      return () => clearInterval(timer)
    },
    settled: pictures.settled,
    close: () => assets.close(),
  }
}
