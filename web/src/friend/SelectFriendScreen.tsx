import { type FriendEntry, listFriends } from '@guildhall/wire/friend/friend.ts'
import type { UserId } from '@guildhall/wire/id.ts'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { findNamed } from '../kit/find/findNamed.ts'
import { GIFT_ACTIONS, type GiftAction } from '../kit/gift.ts'
import { useText } from '../kit/i18n.ts'
import { pathBackTo } from '../kit/redir.ts'
import { useRouteQuery } from '../kit/routeQuery.ts'
import { shell } from '../native/shell.ts'
import { askShell, leavePage } from '../native/shellPage.ts'
import { Picker } from '../ui/overlay/Picker.tsx'
import { toast } from '../ui/overlay/Toast.tsx'
import { Avatar } from '../ui/picture/Avatar.tsx'
import { GiftDrawing } from './giftDrawing.tsx'
import { text } from './text.ts'

/** The page that a gift begins on, where the address names none. */
const FROM: Readonly<Record<GiftAction, string>> = {
  buy_produce_vip: '/account/buff',
  present_pop: '/account',
  present_golive: '/account/golive',
}

const byName = (a: FriendEntry, b: FriendEntry) =>
  a.friend_info.username.localeCompare(b.friend_info.username, 'zh-CN')

/** What the address asks for. An action that nobody knows gives BUFF, as the first action does. */
function useWish() {
  const [query] = useSearchParams()
  const action = GIFT_ACTIONS.find((it) => it === query.get('action')) ?? 'buy_produce_vip'
  const whole = (name: string) => {
    const value = query.get(name) ?? ''
    return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined
  }
  return { action, from: query.get('from'), productId: whole('produce_id'), count: whole('count') }
}

/**
 * /select-friend?from=&action=&produce_id=: picks a friend for a gift. The app is asked to give it; in a
 * browser the page goes back to
 * `from` with `?user_id=&produce_id=`. commerce.md §2, §3, §6.
 */
export default function SelectFriendScreen() {
  const t = useText(text)
  const wish = useWish()
  const friends = useRouteQuery(listFriends, {
    type: 'friend',
    ...(wish.productId !== undefined && { product_id: wish.productId }),
    ...(wish.count !== undefined && { count: wish.count }),
  })
  const { busy, pick } = usePicking(wish)
  const { answer, failure, refetch } = friends
  const search = (typed: string) =>
    answer &&
    findNamed(answer.friend.toSorted(byName), typed, ({ friend_info: it, spelling = '' }) => [
      [it.username, spelling],
      [`${it.username}#${it.identify_num}`, ''],
    ]).map(({ friend_info: it, own }) => ({
      key: it.id,
      picture: <Avatar of={it} size={44} />,
      name: it.username,
      more: `#${it.identify_num}`,
      // Without a product `own` says who asked for the friendship.
      refusal: own && wish.productId !== undefined ? t.owned : undefined,
    }))
  return (
    <Picker
      title={t.pick}
      searchLabel={t.search}
      search={search}
      failure={failure && { title: t.failed, message: failure.message, onRetry: refetch }}
      empty={{ icon: <GiftDrawing />, none: t.none, why: t.pickNoneWhy, noMatch: t.noMatch }}
      busy={busy}
      onPick={(id) => void pick(id as UserId)}
      onBack={() => void leavePage()}
    />
  )
}

/** Hands the friend on: to the app, or to the page that asked. */
function usePicking({ action, from, productId, count }: ReturnType<typeof useWish>) {
  const t = useText(text)
  const navigate = useNavigate()
  const [busy, setBusy] = useState<UserId | null>(null)
  const askApp = async (userId: UserId, productId: number) => {
    setBusy(userId)
    const gift = { produce_id: String(productId), user_id: userId }
    const given =
      action === 'buy_produce_vip'
        ? await askShell(action, gift)
        : await askShell(action, { ...gift, ...(count !== undefined && { count }) })
    setBusy(null)
    if (given?.status !== 'success') return
    toast(t.given)
    await leavePage()
  }
  return {
    busy,
    async pick(userId: UserId) {
      if (busy !== null) return
      if (productId === undefined) return toast(t.noProduct)
      if (shell()) return askApp(userId, productId)
      const answer = { user_id: userId, produce_id: String(productId) }
      void navigate(pathBackTo(from, FROM[action], answer), { replace: true })
    },
  }
}
