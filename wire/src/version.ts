/**
 * The contract's version: it is raised with every change that a client or the server could notice, and
 * CHANGELOG.md says what changed.
 */
export const WIRE_VERSION = 28
