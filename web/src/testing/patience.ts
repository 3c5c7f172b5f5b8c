import { configure } from '@testing-library/react'

// What a screen test waits for comes as fast as the machine is; the limit only ends a test that hangs.
configure({ asyncUtilTimeout: 60_000 })
