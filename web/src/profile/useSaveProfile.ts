import { type Guild, viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import {
  deleteBanner,
  type GuildProfile,
  updateGuild,
  updateRecommended,
  viewUpdate,
} from '@guildhall/wire/profile/profile.ts'
import type { CallFailure } from '../kit/call.ts'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { useForm } from '../ui/form/useForm.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { changed, emptyFields } from './changed.ts'
import { text } from './text.ts'

/**
 * Saves what changed of a guild's profile, once at a time; a recommended guild's change is handed in.
 * commerce.md §4 "Profile form".
 */
export function useSaveProfile(guild: Guild, baseline: GuildProfile, then: Then) {
  const t = useText(text)
  const form = useForm<keyof GuildProfile>(['name', 'icon', 'desc', 'banner'])
  const saving = useCall(updateGuild)
  const handing = useCall(updateRecommended)
  const removal = useCall(deleteBanner)
  const isBusy = [saving, handing, removal].some(({ status }) => status === 'busy')

  const refused = (failure: CallFailure) => toast(form.refused(failure))
  const save = async (draft: GuildProfile): Promise<void> => {
    if (isBusy) return
    const change = changed(baseline, draft)
    const said = { name: t.nameEmpty, desc: t.descEmpty }
    if (!form.show(Object.fromEntries(emptyFields(change).map((field) => [field, said[field]])))) return
    if (guild.recommend_info !== null) {
      if (!(await handing.run({ guild_id: guild.id, ...change }, refused))) return
      then.onSaved(draft)
      then.onHandedIn()
    } else {
      const profile = await saving.run({ id: guild.id, ...change }, refused)
      if (!profile) return
      toast(t.saved)
      then.onSaved(profile)
    }
    reload(guild.id)
  }
  const removeBanner = async (): Promise<void> => {
    if (!(await removal.run({ guild_id: guild.id }, refused))) return
    toast(t.removed)
    then.onBannerRemoved()
    reload(guild.id)
  }
  /** What is wrong with these fields is wrong no more. */
  const forget = (fields: readonly (keyof GuildProfile)[]) => {
    if (!fields.some((field) => form.errors[field])) return
    const others = Object.entries(form.errors).filter(([field]) => !fields.some((each) => each === field))
    form.show(Object.fromEntries(others), form.problem)
  }
  return { form, isBusy, save, removeBanner: () => void removeBanner(), forget }
}

interface Then {
  readonly onSaved: (profile: GuildProfile) => void
  readonly onBannerRemoved: () => void
  readonly onHandedIn: () => void
}

function reload(id: GuildId): void {
  invalidateRoute(viewGuild, { id })
  invalidateRoute(viewUpdate, { guild_id: id })
  invalidateRoute(listGuilds)
}
