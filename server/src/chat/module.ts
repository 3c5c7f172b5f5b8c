/** What the server has of private chats. */
import type { FileAddresses } from '../asset/asset.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import type { FetchPicture, SendPipeline } from '../message/message.ts'
import { chatRoutes } from './routes.ts'

export const chatModule = (
  { appContext, limits }: ModuleContext,
  {
    addresses,
    pipeline,
    fetchPicture,
  }: {
    readonly addresses: FileAddresses
    readonly pipeline: SendPipeline
    readonly fetchPicture: FetchPicture | null
  },
): Module => ({
  routes: chatRoutes({
    appContext: { ...appContext, addresses },
    limits,
    pipeline,
    ...(fetchPicture && { fetchPicture }),
  }),
})
