import { defineConfig } from 'vitest/config';

/**
 * The vitest configuration of every package. Workspace packages resolve to each other's sources through the
 * `emu-source` export condition, so no test needs a build; results also go to a file that `tools/test-summary.mjs` adds up.
 */
export default defineConfig({
  resolve: { conditions: ['emu-source'] },
  ssr: { resolve: { conditions: ['emu-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', ['json', { outputFile: '.test-results/vitest.json' }]],
    // A CommonJS package's default export is its exports object, as it is in node.
    deps: { interopDefault: false },
    // Emulators that tests start run functions as processes, whether the machine has a container engine or not.
    env: { EMULATOR_LAMBDA_BACKEND: 'process' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
