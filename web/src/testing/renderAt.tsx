import type { Self } from '@guildhall/wire/user/user.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { type InitialEntry, MemoryRouter, Route, Routes, useLocation } from 'react-router'
import { roomStore } from '../app/composition.ts'
import { MeProvider } from '../auth/auth.ts'
import { cache } from '../kit/routeQuery.ts'
import { RoomStoreContext } from '../roomStore/roomStoreContext.ts'
import { Toasts } from '../ui/overlay/Toast.tsx'

/** Renders a screen at an address, as the app would; other addresses are shown as text. */
export function renderAt(address: InitialEntry, pattern: string, screen: ReactNode, me: Self | null = null) {
  cache.clear()
  return render(
    <QueryClientProvider client={cache}>
      <MemoryRouter initialEntries={[address]}>
        <MeProvider value={me}>
          <RoomStoreContext value={roomStore}>
            <Routes>
              <Route path={pattern} element={screen} />
              <Route path="*" element={<Elsewhere />} />
            </Routes>
          </RoomStoreContext>
        </MeProvider>
        <Toasts />
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

function Elsewhere() {
  const { pathname, search } = useLocation()
  return <p>at {pathname + search}</p>
}
