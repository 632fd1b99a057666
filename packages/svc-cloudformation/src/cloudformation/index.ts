import type { AnyResourceProvider } from '@emu/core';
import { moduleDefaultVersion, moduleVersion, typeActivation } from './extensions.ts';
import { hookTypeConfig, publicTypeVersion, publisher } from './publishing.ts';
import { stackSet } from './stack-set.ts';

/** Providers of those of CloudFormation's own types that a stack makes as it makes any other resource. */
export const providers: readonly AnyResourceProvider[] = [
  hookTypeConfig,
  moduleDefaultVersion,
  moduleVersion,
  publicTypeVersion,
  publisher,
  stackSet,
  typeActivation,
];
