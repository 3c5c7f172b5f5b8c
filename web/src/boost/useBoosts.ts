import { boostList, boostProduct, boostTrend, unusedBoosts, useBoosts } from '@guildhall/wire/boost/boost.ts'
import { viewGuild } from '@guildhall/wire/channel/channel.ts'
import { listGuilds } from '@guildhall/wire/guild/guild.ts'
import type { GuildId } from '@guildhall/wire/id.ts'
import { market } from '@guildhall/wire/product/product.ts'
import type { AnswerOf } from '@guildhall/wire/route.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { invalidateRoute, useRouteQuery } from '../kit/routeQuery.ts'
import { useCall } from '../kit/useCall.ts'
import { shell } from '../native/shell.ts'
import { askShell } from '../native/shellPage.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { text } from './text.ts'

export type BoostProduct = AnswerOf<typeof boostProduct>

/** What the person has, and what their guilds have, may be another than before. */
export function reloadBoosts(): void {
  for (const route of [unusedBoosts, boostList, boostTrend, listGuilds, viewGuild]) invalidateRoute(route)
}

/** How many packs the person has; null while that is loaded. */
export const useUnused = (): number | null => useRouteQuery(unusedBoosts, {}).answer?.unused_boost_num ?? null

/** Uses packs on a guild. Resolves true when it was done; what refuses it is said. */
export function useUsing(): {
  readonly isBusy: boolean
  readonly use: (guildId: GuildId, count: number) => Promise<boolean>
} {
  const t = useText(text)
  const using = useCall(useBoosts)
  return {
    isBusy: using.status === 'busy',
    async use(guild_id, count) {
      const done = await using.run({ guild_id, count }, ({ message }) => toast(message))
      if (!done) return false
      toast(t.done)
      reloadBoosts()
      return true
    },
  }
}

/** How many packs are bought, and for which guild, which uses them at once. */
interface Wanted {
  readonly count: number
  readonly guild: { readonly id: GuildId; readonly name: string; readonly icon: string } | null
}

/**
 * Buying packs: in the app by the app, in a browser, where the operator allows it, in the pay sheet.
 * `choosing`: the product whose number is chosen now; `paying`: what is paid now. commerce.md §6, §8.
 */
export function useBuyingBoosts() {
  const t = useText(text)
  const inApp = shell()
  const offer = useRouteQuery(boostProduct, {
    market: inApp?.config.app_plantform === 'IOS' ? market.ios : market.any,
  })
  const [step, setStep] = useState<'none' | 'choose' | 'pay' | 'app'>('none')
  const [{ count, guild }, setWanted] = useState<Wanted>({ count: 1, guild: null })
  const { use } = useUsing()
  const product = offer.answer ?? null
  const stop = () => setStep('none')
  const buyInApp = async (sold: BoostProduct) => {
    setStep('app')
    const bought = await askShell('buy_produce_boost', {
      count,
      produce_id: String(sold.id),
      produce_info: sold,
    })
    stop()
    if (bought?.status !== 'success') return
    toast(t.bought)
    reloadBoosts()
    // The app sells packs alone.
    if (guild) await use(guild.id, count)
  }
  return {
    product,
    count,
    guild,
    stop,
    setCount: (to: number) => setWanted({ count: to, guild }),
    isOpen: step === 'choose' || step === 'pay',
    isChoosing: step === 'choose',
    isPaying: step === 'pay',
    isBusy: step === 'app',
    start(wanted: Wanted = { count: 1, guild: null }) {
      if (step !== 'none') return
      if (offer.status === 'loading') return
      if (!product) return toast(t.noProduct)
      // Without a way to pay here it says to open the app.
      if (!inApp && product.browser_ways.length === 0) return void buyInApp(product)
      setWanted(wanted)
      setStep('choose')
    },
    goOn() {
      if (product) inApp ? void buyInApp(product) : setStep('pay')
    },
  }
}
