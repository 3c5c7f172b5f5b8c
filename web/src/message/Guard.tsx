import { Component, type ReactNode } from 'react'

/** What cannot be drawn shows as a line in its place, and the room goes on. A class: React has no other way to catch. */
export class Guard extends Component<{ children: ReactNode; broken: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    return this.state.isBroken ? this.props.broken : this.props.children
  }
}
