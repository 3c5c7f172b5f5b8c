/** The calls of uploads. */
import { createAsset, uploadAsset, uploadFile } from '@guildhall/wire/asset/asset.ts'
import { type Binding, bindUpload } from '../kit/http/binding.ts'
import type { Assets } from './asset.ts'

export const assetRoutes = (assets: Assets): Binding[] =>
  [uploadFile, uploadAsset, createAsset].map((route) =>
    bindUpload(route, {
      admit: ({ caller }) => assets.admit(caller.userId),
      run: ({ caller, origin }, { type }, file) => assets.store(caller.userId, file, type, origin),
    }),
  )
