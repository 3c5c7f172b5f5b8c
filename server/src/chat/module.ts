/** What the server has of private chats. */
import type { FileAddresses } from '../asset/asset.ts'
import type { AppContext, Module } from '../kit/module.ts'
import type { FetchPicture, SendPipeline } from '../message/message.ts'
import { chatRoutes } from './routes.ts'

export const chatModule = (
  { live, limits }: AppContext,
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
    live: { ...live, addresses },
    limits,
    pipeline,
    ...(fetchPicture && { fetchPicture }),
  }),
})
