import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { setTheme, storedTheme } from '../kit/browser/theme.ts'
import { keepTokenIn } from '../kit/call.ts'
import { reportUncaught } from '../kit/errors/clientErrors.ts'
import { locale, setLocale } from '../kit/i18n.ts'
import { cache } from '../kit/routeQuery.ts'
import ConsoleScreen from '../staff/ConsoleScreen.tsx'
import { consoleToken } from '../staff/staff.ts'
import { Toasts } from '../ui/overlay/Toast.tsx'
import { AppErrorBoundary } from './AppErrorBoundary.tsx'

/** Mounts the staff console. It has a session of its own and shares none with the product's pages. */
export function startConsole(container: HTMLElement): void {
  reportUncaught()
  keepTokenIn(consoleToken)
  setTheme(storedTheme())
  setLocale(locale())
  createRoot(container).render(
    <AppErrorBoundary>
      <QueryClientProvider client={cache}>
        <BrowserRouter>
          <ConsoleScreen />
        </BrowserRouter>
      </QueryClientProvider>
      <Toasts />
    </AppErrorBoundary>,
  )
}
