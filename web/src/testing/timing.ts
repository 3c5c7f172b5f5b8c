import { configure } from '@testing-library/react'
import { options } from 'preact'

// A slow machine must not fail a screen test: the limit only ends a test that hangs.
configure({ asyncUtilTimeout: 60_000 })

// Effects wait for the next frame, and there is none to wait for.
const hooks: { requestAnimationFrame?: (act: () => void) => void } = options
hooks.requestAnimationFrame = queueMicrotask
