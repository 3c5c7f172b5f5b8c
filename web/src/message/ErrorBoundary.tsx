import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  /** What is drawn; another one is tried anew. */
  readonly of: unknown
  /** Stands in its place when it cannot be drawn. */
  readonly broken: ReactNode
}

/** What cannot be drawn shows as a line in its place, and the room goes on. A class: React has no other way to catch. */
export class Guard extends Component<Props, { of: unknown; isBroken: boolean }> {
  override state = { of: this.props.of, isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  static getDerivedStateFromProps(props: Props, state: { of: unknown }) {
    return props.of === state.of ? null : { of: props.of, isBroken: false }
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children
  }
}
