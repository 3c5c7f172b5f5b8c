import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import {
  deleteBanner,
  type GuildFace,
  updateGuild,
  updateRecommended,
  viewUpdate,
} from '@guildhall/wire/profile/profile.ts'
import { useState } from 'react'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { toast } from '../ui/Toast.tsx'
import { changed, emptyFields, type FaceErrors } from './changed.ts'
import { text } from './text.ts'

/**
 * Saves what changed of a guild's profile, once at a time; a recommended guild's change is handed in.
 * commerce.md §4 "Profile form".
 */
export function useSaveProfile(
  guild: Guild,
  baseline: GuildFace,
  {
    onSaved,
    onBannerRemoved,
    onHandedIn,
  }: { onSaved: (face: GuildFace) => void; onBannerRemoved: () => void; onHandedIn: () => void },
) {
  const t = useText(text)
  const [errors, setErrors] = useState<FaceErrors>({})
  const [problem, setProblem] = useState('')
  const saving = useCall(updateGuild)
  const handing = useCall(updateRecommended)
  const removal = useCall(deleteBanner)
  const isRecommended = guild.recommend_info !== null
  const isBusy = [saving, handing, removal].some(({ status }) => status === 'busy')

  const reload = () => {
    invalidateRoute(viewGuild, { id: guild.id })
    invalidateRoute(viewUpdate, { guild_id: guild.id })
    invalidateRoute(listGuilds)
  }
  const refused = ({ fields, message }: CallFailure) => {
    const { name, icon, desc, banner } = fields
    const wrong = {
      ...(name && { name }),
      ...(icon && { icon }),
      ...(desc && { desc }),
      ...(banner && { banner }),
    }
    setErrors(wrong)
    if (Object.keys(wrong).length > 0) return
    setProblem(message)
    toast(message)
  }
  const save = async (draft: GuildFace): Promise<void> => {
    if (isBusy) return
    const change = changed(baseline, draft)
    const empty = emptyFields(change)
    const said = { name: t.nameEmpty, desc: t.descEmpty }
    setErrors(Object.fromEntries(empty.map((field) => [field, said[field]])))
    setProblem('')
    if (empty.length > 0) return
    if (isRecommended) {
      if (!(await handing.run({ guild_id: guild.id, ...change }, refused))) return
      onSaved(draft)
      onHandedIn()
      return reload()
    }
    const face = await saving.run({ id: guild.id, ...change }, refused)
    if (!face) return
    toast(t.saved)
    onSaved(face)
    reload()
  }
  const removeBanner = async (): Promise<void> => {
    if (!(await removal.run({ guild_id: guild.id }, refused))) return
    toast(t.removed)
    onBannerRemoved()
    reload()
  }
  const forget = (fields: readonly (keyof GuildFace)[]) => {
    if (fields.some((field) => errors[field]))
      setErrors((now) =>
        Object.fromEntries(Object.entries(now).filter(([key]) => !fields.includes(key as keyof GuildFace))),
      )
  }
  return {
    errors,
    problem,
    isBusy,
    save,
    removeBanner: () => void removeBanner(),
    forget,
  }
}
