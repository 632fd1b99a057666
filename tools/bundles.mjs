// Common parts of the bundles of the CLI and of the published packages.
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';

/** An optional native library of ssh2 (engines at ssh:// addresses). */
export const DONE_WITHOUT = ['cpu-features'];

/**
 * Options of esbuild for CommonJS packages in a bundle, which use `require` for node's modules and need their
 * directory. The calls are marked as pure, so that merging the chunks of a start removes the unused ones.
 */
export const COMMONJS = {
  define: { __dirname: '__emuDirname' },
  banner: {
    js: [
      "import { createRequire as __emuCreateRequire } from 'node:module';",
      "import { dirname as __emuDirnameOf } from 'node:path';",
      "import { fileURLToPath as __emuPathOf } from 'node:url';",
      'const require = /* @__PURE__ */ (() => __emuCreateRequire(import.meta.url))();',
      'const __emuDirname = /* @__PURE__ */ (() => __emuDirnameOf(__emuPathOf(import.meta.url)))();',
    ].join('\n'),
  },
};

/** The best quality takes ten times as long and saves 30 KB. */
const COMPRESSION = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** An esbuild plugin that compresses AWS's managed policies from about 3 MB to a tenth. */
export const compressPolicies = {
  name: 'compress-policies',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]generated[\\/]managed-policies\.js$/ }, async ({ path }) => {
      const { policies } = await import(pathToFileURL(path).href);
      const text = brotliCompressSync(JSON.stringify(policies), COMPRESSION).toString('base64');
      return {
        contents: `import { brotliDecompressSync } from 'node:zlib';
export const policies = JSON.parse(brotliDecompressSync(Buffer.from('${text}', 'base64')).toString());`,
      };
    });
  },
};

/** An esbuild plugin that omits dockerode's image builds with BuildKit over gRPC, which emu does not use. */
export const withoutBuildKit = {
  name: 'without-buildkit',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]dockerode[\\/]lib[\\/]session\.js$/ }, () => ({
      contents: "module.exports = () => { throw new Error('emu builds no images with BuildKit'); };",
    }));
  },
};
