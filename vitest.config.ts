import { availableParallelism } from 'node:os'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { emojiCatalogue } from './web/catalogue.ts'
import { preact } from './web/preact.ts'
import { screens } from './web/screens.ts'

const PURE = [
  'wire/**/*.test.ts',
  'server/**/*.test.ts',
  'sandbox/**/*.test.ts',
  'scripts/**/*.test.ts',
  'web/**/*.test.ts',
  'e2e/**/*.test.ts',
]
const DATABASE = ['server/**/*.pg.test.ts', 'server/**/*.redis.test.ts']
/**
 * Tests that need a process of their own: the page's stores are global, libraries for bots look for globals,
 * memory is measured.
 */
const ALONE = ['e2e/**/*.pg.test.ts', 'server/src/asset/asset.pg.test.ts']
const NEVER = ['**/node_modules/**', '**/dist/**', '**/data/**']

/** A time limit ends a test that hangs; it is far above what a slow machine needs. */
const HANGS_MS = 120_000

/**
 * The page's Preact, and what its tests need beside it. Aliases reach only what Vite reads, which are ES modules:
 * the testing library's CommonJS files, the ones that Node would take, would load React itself.
 */
const preactInTests = [
  ...preact,
  { find: /^react-dom\/test-utils$/, replacement: 'preact/test-utils' },
  {
    find: /^@testing-library\/react$/,
    replacement: path.join(
      import.meta.dirname,
      'node_modules/@testing-library/react/dist/@testing-library/react.esm.js',
    ),
  },
]

const withDatabase = {
  environment: 'node',
  globalSetup: ['server/src/testing/cluster.ts'],
  testTimeout: HANGS_MS,
  hookTimeout: HANGS_MS,
  expect: { poll: { timeout: 60_000 } },
}

/**
 * The suffix of a test names what it needs: `.test.ts` nothing, `.test.tsx` a DOM, `.pg.test.ts` PostgreSQL,
 * `.redis.test.ts` Redis, `.e2e.ts` a browser.
 */
export default defineConfig({
  test: {
    // One more than there are processors, because tests wait for timers and for the database.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        plugins: [emojiCatalogue(), screens()],
        test: {
          name: 'unit',
          // Files share a process, and what it has loaded.
          isolate: false,
          setupFiles: ['server/src/testing/database/sharedProcess.ts'],
          include: PURE,
          exclude: [...NEVER, '**/*.pg.test.ts', '**/*.redis.test.ts'],
          environment: 'node',
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        plugins: [emojiCatalogue(), screens()],
        resolve: { alias: preactInTests },
        test: {
          name: 'screen',
          // Libraries for React import what the alias leads elsewhere.
          server: { deps: { inline: [/react/] } },
          include: ['web/**/*.test.tsx'],
          exclude: NEVER,
          environment: 'happy-dom',
          setupFiles: [
            'web/src/testing/chineseLocale.ts',
            'web/src/testing/timing.ts',
            'web/src/testing/oneMain.ts',
          ],
          testTimeout: HANGS_MS,
          hookTimeout: HANGS_MS,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'pg',
          include: DATABASE,
          exclude: [...NEVER, ...ALONE],
          isolate: false,
          setupFiles: ['server/src/testing/database/sharedProcess.ts'],
        },
      },
      {
        test: { ...withDatabase, name: 'alone', include: ALONE, exclude: NEVER },
      },
    ],
  },
})
