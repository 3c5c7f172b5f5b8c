/** What the server has of emoji: their calls and pictures. */
import type { Assets } from '../asset/asset.ts'
import { fileEndpoints } from '../kit/http/endpoints.ts'
import type { AppContext, Module } from '../kit/module.ts'
import { findPicture } from './emoji.ts'
import { emojiRoutes } from './routes.ts'

export const emojiModule = ({ live }: AppContext, assets: Assets): Module => ({
  routes: emojiRoutes({ live, assets }),
  endpoints: fileEndpoints(['/emojis/:guild/:name'], (path, params) => findPicture(assets, path, params)),
})
