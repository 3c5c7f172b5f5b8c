/** What the server has of the moderation of guilds: its calls. The engine is opened with what is below. */
import type { FileAddresses } from '../kit/files/fileAddresses.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import type { FetchPicture, SendPipeline } from '../message/message.ts'
import { moderationRoutes } from './routes.ts'

export const moderationModule = (
  { appContext, limits }: ModuleContext,
  sends: {
    readonly addresses: FileAddresses
    readonly pipeline: SendPipeline
    readonly fetchPicture: FetchPicture | null
  },
): Module => {
  const { addresses, pipeline, fetchPicture } = sends
  const decideDeps = {
    appContext: { ...appContext, addresses },
    pipeline,
    fetchPicture: fetchPicture ?? undefined,
  }
  return { routes: moderationRoutes({ appContext, limits, decideDeps }) }
}
