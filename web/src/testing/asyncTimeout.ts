import { configure } from '@testing-library/react'

// A slow machine must not fail a screen test: the limit only ends a test that hangs.
configure({ asyncUtilTimeout: 60_000 })
