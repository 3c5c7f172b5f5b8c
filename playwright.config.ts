import { defineConfig } from '@playwright/test'

/**
 * The journeys: the real server in a real browser. Each file has a separate server and database, so files run
 * side by side. Nothing is tried twice: a journey that fails now and then is broken. Time limits end what
 * hangs; they are far above what a slow machine needs. A failed journey leaves its trace and its picture in
 * `artifacts/failed`.
 */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  // Faults follow each other for minutes: `npm test -- chaos`.
  testIgnore: process.env.CHAOS_MINUTES === undefined ? '**/chaos.e2e.ts' : [],
  globalSetup: './server/src/testing/cluster.ts',
  outputDir: 'artifacts/failed',
  // One more than this suite's two cores: a journey waits for its page, and its page for the server.
  workers: 3,
  retries: 0,
  projects: [
    // The longest come first, so that the run does not end with waiting for one of them.
    { name: 'endurance', testMatch: 'endurance/*.e2e.ts', timeout: 900_000 },
    { name: 'journeys', testIgnore: 'endurance/*', timeout: 240_000 },
  ],
  expect: { timeout: 60_000 },
  forbidOnly: true,
  use: {
    screenshot: 'only-on-failure',
    // Pictures of the page before and after each step would cost every journey a tenth more: `--trace
    // retain-on-failure` takes them.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false, snapshots: false },
  },
})
