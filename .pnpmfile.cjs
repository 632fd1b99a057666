module.exports = {
  hooks: {
    beforePacking: async (manifest, directory) => (await import('./tools/publishing.mjs')).prepare(manifest, directory),
  },
};
