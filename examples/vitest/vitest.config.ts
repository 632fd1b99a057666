import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // One emulator for the clients that the application makes itself.
    globalSetup: ['@emu/emulator/setup'],
    // Only for this repository: vitest would transform a workspace package, which it does not with an installed one.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    // Only for this repository's summary of all tests.
    reporters: ['default', ['json', { outputFile: '.test-results/vitest.json' }]],
  },
});
