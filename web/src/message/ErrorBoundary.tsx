import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** What is drawn; another one is tried anew. */
  readonly resetKey: unknown
  /** Stands in its place when it cannot be drawn. */
  readonly fallback: ReactNode
}

/** What cannot be drawn shows as a line in its place, and the room goes on. A class: React has no other way to catch. */
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
