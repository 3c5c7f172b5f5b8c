/** How the pages of the shop buy. commerce.md §6. */

import type { PayWay } from '@guildhall/wire/payWay.ts'
import { useState } from 'react'
import { useText } from '../kit/i18n.ts'
import { shell } from '../native/shell.ts'
import { toast } from '../ui/overlay/Toast.tsx'
import { text } from './text.ts'

/**
 * Buying something: in the app by the app, in a browser, where the operator allows it, in the pay sheet.
 * `ways`: those to pay in a browser. `askApp` asks the app, and says to open it where there is none.
 * `onBought`: the app sold input.
 */
export function useBuying(input: {
  readonly ways: readonly PayWay[]
  readonly askApp: () => Promise<{ readonly status: 'success' | 'cancel' } | null>
  readonly onBought: () => void
}) {
  const t = useText(text)
  const [step, setStep] = useState<'none' | 'pay' | 'app'>('none')
  const stop = () => setStep('none')
  return {
    isBusy: step === 'app',
    isPaying: step === 'pay',
    async start() {
      if (step !== 'none') return
      if (!canBuy(input.ways) || shell()) {
        setStep('app')
        const bought = await input.askApp()
        stop()
        if (bought?.status !== 'success') return
        toast(t.success)
        input.onBought()
      } else setStep('pay')
    },
    stop,
  }
}

/** Whether something can be bought here: in the app, or in a browser with a way to pay. */
export const canBuy = (ways: readonly PayWay[]): boolean => shell() !== null || ways.length > 0
