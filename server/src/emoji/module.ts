/** What the server has of emoji: their calls and pictures. */
import type { Assets } from '../asset/asset.ts'
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { Module, ModuleContext } from '../kit/module.ts'
import { findPicture } from './emoji.ts'
import { emojiRoutes } from './routes.ts'

export const emojiModule = ({ appContext }: ModuleContext, assets: Assets): Module => ({
  routes: emojiRoutes({ appContext, assets }),
  endpoints: fileEndpoints(['/emojis/:guild/:name'], (path, params) => findPicture(assets, path, params)),
})
