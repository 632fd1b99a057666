import { describe, expect, it } from 'vitest';
import { importedBy, publishedManifest } from '../../publishing.mjs';

const library = {
  name: '@emu/svc-pictures',
  version: '1.0.0',
  type: 'module',
  exports: {
    '.': { 'emu-source': './src/index.ts', default: './dist/index.js' },
    './preset': { default: './preset.json' },
  },
  scripts: { test: 'vitest run' },
  dependencies: { '@emu/core': '1.0.0', jose: '6.0.0', valibot: '1.0.0' },
  devDependencies: { '@aws-sdk/client-sqs': '3.0.0' },
  emu: { external: ['valibot'] },
};

describe('a published package', () => {
  it('imports packages of emu and external libraries; others are bundled', () => {
    expect(importedBy(library)).toEqual(['@emu/core', 'valibot']);
  });

  it('has the shared fields and no fields of the workspace', () => {
    expect(publishedManifest(library)).toEqual({
      name: '@emu/svc-pictures',
      version: '1.0.0',
      type: 'module',
      license: 'Apache-2.0',
      engines: { node: '>=20.19' },
      sideEffects: false,
      exports: {
        '.': { types: './dist/index.d.ts', default: './dist/index.js' },
        './preset': { default: './preset.json' },
      },
      dependencies: { '@emu/core': '1.0.0', valibot: '1.0.0' },
      files: ['dist', 'preset.json', 'LICENSE', 'NOTICE'],
    });
  });

  it('imports nothing if it is a program', () => {
    const program = {
      name: '@emu/cli',
      bin: { emu: './bin/emu.js' },
      dependencies: { '@emu/core': '1.0.0', yargs: '1' },
    };
    expect(publishedManifest(program)).not.toHaveProperty('dependencies');
    expect(publishedManifest(program).files).toEqual(['dist', 'bin', 'LICENSE', 'NOTICE']);
  });
});
