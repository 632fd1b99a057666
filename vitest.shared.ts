import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { LongFilesReporter } from './tools/testing/long-files.ts';
import { DurationSequencer } from './tools/testing/sequencer.ts';

/**
 * The vitest configuration of every package, and of all of them in one run from the root. Workspace packages resolve to
 * each other's sources through the `emu-source` export condition, so no test needs a build; results also go to a file
 * that `tools/test-summary.mjs` adds up.
 */
export default defineConfig({
  resolve: { conditions: ['emu-source'] },
  ssr: { resolve: { conditions: ['emu-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts', '{packages,apps,tools}/*/test/**/*.test.ts', '{e2e,integration}/test/**/*.test.ts'],
    reporters: ['default', new LongFilesReporter(), ['json', { outputFile: '.test-results/vitest.json' }]],
    // A CommonJS package's default export is its exports object, as it is in node.
    deps: { interopDefault: false },
    // Emulators that tests start run functions as processes, whether the machine has a container engine or not.
    env: { EMULATOR_LAMBDA_BACKEND: 'process' },
    // Test files share a process and with it the modules, which cost more to load than most files to run.
    isolate: false,
    sequence: { sequencer: DurationSequencer },
    setupFiles: [fileURLToPath(new URL('tools/testing/leak-check.ts', import.meta.url))],
    // One more than the machine can run, because many tests wait for clocks and other processes.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
