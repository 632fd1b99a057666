import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Starts one emulator for the clients that the application creates itself.
    globalSetup: ['@emu/emulator/setup'],
    // Needed only in this repository: vitest transforms a workspace package, but not an installed one.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    // Needed only for this repository's summary of all tests.
    reporters: ['default', ['json', { outputFile: '.test-results/vitest.json' }]],
  },
});
