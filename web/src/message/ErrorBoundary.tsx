import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** The boundary is reset when this changes. */
  readonly resetKey: unknown
  /** Shown when the children cannot be rendered. */
  readonly fallback: ReactNode
}

/** Error boundary of one message: a fallback replaces it, and the room stays. React requires a class. */
export class ErrorBoundary extends Component<Props, { of: unknown; isBroken: boolean }> {
  override state = { of: this.props.resetKey, isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  static getDerivedStateFromProps(props: Props, state: { of: unknown }) {
    return props.resetKey === state.of ? null : { of: props.resetKey, isBroken: false }
  }

  override render() {
    return this.state.isBroken ? this.props.fallback : this.props.children
  }
}
