import { listFriends } from '@guildhall/wire/friend/friend.ts'
import { yuan } from '@guildhall/wire/money.ts'
import type { PayWay } from '@guildhall/wire/payWay.ts'
import type { Product } from '@guildhall/wire/product/product.ts'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type GiftAction, selectFriendPath } from '../kit/gift.ts'
import { useText } from '../kit/i18n.ts'
import { Suspense } from '../kit/lazy/lazy.tsx'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { sayOpenInApp } from '../native/shellPage.ts'
import { Dialog } from '../ui/overlay/Dialog.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { PaySheet } from './lazyPaySheet.ts'
import { text } from './text.ts'
import { canBuy } from './useBuying.ts'

/** Leads to the friends, one of whom is given a product. `from`: the page that asks, which shows a `Gift`. */
export function useGiving(from: string, action: GiftAction, ways: readonly PayWay[]) {
  const navigate = useNavigate()
  return (product: Product) =>
    canBuy(ways) ? void navigate(selectFriendPath(from, action, product.id)) : sayOpenInApp()
}

/**
 * Buys a product for the friend whom the page's address names, `?user_id=&produce_id=`, after a confirmation.
 * In the app, the picker asks the app.
 */
export function Gift({ products, ways }: { products: readonly Product[]; ways: readonly PayWay[] }) {
  const t = useText(text)
  const [query, setQuery] = useSearchParams()
  const [isPaying, setPaying] = useState(false)
  const userId = query.get('user_id')
  const productId = Number(query.get('produce_id'))
  const friends = useRouteQuery(listFriends, { type: 'friend', product_id: productId }, userId !== null)
  const friend = friends.answer?.friend.find((it) => it.friend_info.id === userId && !it.own)?.friend_info
  const product = products.find(({ id }) => id === productId)
  const forget = () =>
    setQuery(
      (now) => {
        now.delete('user_id')
        now.delete('produce_id')
        return now
      },
      { replace: true },
    )
  // Whoever is no friend, or has it, is given nothing.
  const isLoaded = friends.status !== 'loading'
  const isInvalid = userId !== null && !isPaying && (ways.length === 0 || !product || (isLoaded && !friend))
  useEffect(() => {
    if (!isInvalid) return
    if (friends.failure) toast(friends.failure.message)
    forget()
  })
  if (!friend || !product || ways.length === 0) return null
  if (!isPaying)
    return (
      <Dialog
        title={t.giveTitle}
        message={t.giveWords(product.name, friend.username, yuan(product.price))}
        confirm={t.give}
        onConfirm={() => setPaying(true)}
        onClose={forget}
      />
    )
  return (
    <Suspense>
      <PaySheet
        pay={{ productId: product.id, userId: friend.id }}
        ways={ways}
        onClose={() => {
          setPaying(false)
          forget()
        }}
      />
    </Suspense>
  )
}
