import { Component, type ReactNode } from 'react'
import { reportError } from '../kit/errors/clientErrors.ts'
import { currentText } from '../kit/i18n.ts'
import { text } from '../kit/text.ts'
import { Page } from '../ui/page/Page.tsx'
import { ErrorState } from '../ui/state/ErrorState.tsx'

/** Error boundary of the page: shows a message and a way to reload. React requires a class. */
export class AppErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <Page>
        <ErrorState page title={currentText(text).error} onRetry={() => location.reload()} />
      </Page>
    )
  }
}
